/// Names of months and weekdays in the languages of feeds (Unicode CLDR), written by `make
/// date-names`. Each `=LANGUAGE` precedes twelve months, seven weekdays from Sunday, and the signs
/// of morning and afternoon. `=LANGUAGE.` writes a dot after the day, `=LANGUAGE..` also after the
/// year. `=persian` precedes the months of the Solar Hijri calendar. Commas separate spellings.
enum DateNames {
  static let source = """
    =en january,jan february,feb march,mar april,apr may june,jun july,jul august,aug september,sep
    october,oct november,nov december,dec sunday,sun,su monday,mon,mo tuesday,tue,tu
    wednesday,wed,we thursday,thu,th friday,fri,fr saturday,sat,sa am pm
    =af januarie,jan februarie,feb maart,mrt april,apr mei junie,jun julie,jul augustus,aug
    september,sep oktober,okt november,nov desember,des sondag,so maandag,ma dinsdag,di woensdag,wo
    donderdag,do vrydag,vr saterdag,sa vm nm
    =ar يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر الأحد,أحد
    الاثنين,اثنين الثلاثاء,ثلاثاء الأربعاء,أربعاء الخميس,خميس الجمعة,جمعة السبت,سبت - -
    =ar كانون_الثاني شباط آذار نيسان أيار حزيران تموز آب أيلول تشرين_الأول تشرين_الثاني كانون_الأول
    الأحد,أحد الاثنين,اثنين الثلاثاء,ثلاثاء الأربعاء,أربعاء الخميس,خميس الجمعة,جمعة السبت,سبت - -
    =ar يناير فبراير مارس أبريل ماي يونيو يوليوز غشت شتنبر أكتوبر نونبر دجنبر الأحد,أحد
    الاثنين,اثنين الثلاثاء,ثلاثاء الأربعاء,أربعاء الخميس,خميس الجمعة,جمعة السبت,سبت - -
    =ar جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر الأحد,أحد
    الاثنين,اثنين الثلاثاء,ثلاثاء الأربعاء,أربعاء الخميس,خميس الجمعة,جمعة السبت,سبت - -
    =az yanvar,yan fevral,fev mart,mar aprel,apr may iyun,iyn iyul,iyl avqust,avq sentyabr,sen
    oktyabr,okt noyabr,noy dekabr,dek bazar bazar_ertəsi,b.e çərşənbə_axşamı,ç.a çərşənbə
    cümə_axşamı,c.a cümə şənbə am pm
    =be студзеня,студзень,сту лютага,люты,лют сакавіка,сакавік,сак красавіка,красавік,кра мая,май
    чэрвеня,чэрвень,чэр ліпеня,ліпень,ліп жніўня,жнівень,жні верасня,верасень,вер
    кастрычніка,кастрычнік,кас лістапада,лістапад,ліс снежня,снежань,сне нядзеля,нд панядзелак,пн
    аўторак,аў серада,ср чацвер,чц пятніца,пт субота,сб am pm
    =bg януари,яну февруари,фев март април,апр май юни юли август,авг септември,сеп октомври,окт
    ноември,ное декември,дек неделя,нд понеделник,пн вторник,вт сряда,ср четвъртък,чт петък,пт
    събота,сб am pm
    =bn জানুয়ারী,জানু ফেব্রুয়ারী,ফেব মার্চ এপ্রিল,এপ্রি মে জুন জুলাই,জুল আগস্ট,আগ সেপ্টেম্বর,সেপ অক্টোবর,অক্টো নভেম্বর,নভে ডিসেম্বর,ডিসে রবিবার,রবি,রঃ
    সোমবার,সোম,সোঃ মঙ্গলবার,মঙ্গল,মঃ বুধবার,বুধ,বুঃ বৃহস্পতিবার,বৃহস্পতি,বৃঃ শুক্রবার,শুক্র,শুঃ শনিবার,শনি am pm
    =bs.. januar,jan februar,feb mart,mar april,apr maj juni,jun juli,jul august,aug septembar,sep
    oktobar,okt novembar,nov decembar,dec nedjelja,ned ponedjeljak,pon utorak,uto srijeda,sri
    četvrtak,čet petak,pet subota,sub prijepodne popodne
    =ca de_gener,gener,gen de_febrer,febrer,febr de_març,març d’abril,abril,abr de_maig,maig
    de_juny,juny de_juliol,juliol,jul d’agost,agost,ag de_setembre,setembre,set
    d’octubre,octubre,oct de_novembre,novembre,nov de_desembre,desembre,des diumenge,dg dilluns,dl
    dimarts,dt dimecres,dc dijous,dj divendres,dv dissabte,ds a._m p._m
    =cs. ledna,leden,led února,únor,úno března,březen,bře dubna,duben,dub května,květen,kvě
    června,červen,čvn července,červenec,čvc srpna,srpen,srp září,zář října,říjen,říj
    listopadu,listopad,lis prosince,prosinec,pro neděle,ne pondělí,po úterý,út středa,st čtvrtek,čt
    pátek,pá sobota,so dop odp
    =da. januar,jan februar,feb marts,mar april,apr maj juni,jun juli,jul august,aug september,sep
    oktober,okt november,nov december,dec søndag,søn,sø mandag,man,ma tirsdag,tirs,ti onsdag,ons,on
    torsdag,tors,to fredag,fre,fr lørdag,lør,lø am pm
    =de. januar,jan februar,feb märz,mär april,apr mai juni,jun juli,jul august,aug
    september,sept,sep oktober,okt november,nov dezember,dez sonntag,so montag,mo dienstag,di
    mittwoch,mi donnerstag,do freitag,fr samstag,sa am pm
    =de. jänner,jän februar,feb märz,mär april,apr mai juni,jun juli,jul august,aug september,sep
    oktober,okt november,nov dezember,dez sonntag,so montag,mo dienstag,di mittwoch,mi
    donnerstag,do freitag,fr samstag,sa am pm
    =el ιανουαρίου,ιανουάριος,ιαν φεβρουαρίου,φεβρουάριος,φεβ μαρτίου,μάρτιος,μαρ,μάρ
    απριλίου,απρίλιος,απρ μαΐου,μάιος,μαΐ,μάι ιουνίου,ιούνιος,ιουν,ιούν ιουλίου,ιούλιος,ιουλ,ιούλ
    αυγούστου,αύγουστος,αυγ,αύγ σεπτεμβρίου,σεπτέμβριος,σεπ οκτωβρίου,οκτώβριος,οκτ
    νοεμβρίου,νοέμβριος,νοε,νοέ δεκεμβρίου,δεκέμβριος,δεκ κυριακή,κυρ,κυ δευτέρα,δευ,δε
    τρίτη,τρί,τρ τετάρτη,τετ,τε πέμπτη,πέμ,πέ παρασκευή,παρ,πα σάββατο,σάβ,σά πμ μμ
    =es enero,ene febrero,feb marzo,mar abril,abr mayo,may junio,jun julio,jul agosto,ago
    septiembre,sept octubre,oct noviembre,nov diciembre,dic domingo,dom,do lunes,lun,lu
    martes,mar,ma miércoles,mié,mi jueves,jue,ju viernes,vie,vi sábado,sáb,sa a._m p._m
    =et. jaanuar,jaan veebruar,veebr märts aprill,apr mai juuni juuli august,aug september,sept
    oktoober,okt november,nov detsember,dets pühapäev esmaspäev teisipäev kolmapäev neljapäev reede
    laupäev am pm
    =eu urtarrila,urt otsaila,ots martxoa,mar apirila,api maiatza,mai ekaina,eka uztaila,uzt
    abuztua,abu iraila,ira urria,urr azaroa,aza abendua,abe igandea,ig astelehena,al asteartea,ar
    asteazkena,az osteguna,og ostirala,or larunbata,lr am pm
    =fa ژانویهٔ,ژانویه فوریهٔ,فوریه مارس آوریل مهٔ,مه ژوئن ژوئیهٔ,ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر
    یکشنبه دوشنبه سه‌شنبه چهارشنبه پنجشنبه جمعه شنبه قبل‌ازظهر بعدازظهر
    =fi. tammikuuta,tammikuu,tammi helmikuuta,helmikuu,helmi maaliskuuta,maaliskuu,maalis
    huhtikuuta,huhtikuu,huhti toukokuuta,toukokuu,touko kesäkuuta,kesäkuu,kesä
    heinäkuuta,heinäkuu,heinä elokuuta,elokuu,elo syyskuuta,syyskuu,syys lokakuuta,lokakuu,loka
    marraskuuta,marraskuu,marras joulukuuta,joulukuu,joulu sunnuntai,su maanantaina,ma,maanantai
    tiistaina,ti,tiistai keskiviikkona,ke,keskiviikko torstaina,to,torstai perjantaina,pe,perjantai
    lauantaina,la,lauantai ap ip
    =fil enero,ene pebrero,peb marso,mar abril,abr mayo,may hunyo,hun hulyo,hul agosto,ago
    setyembre,set oktubre,okt nobyembre,nob disyembre,dis linggo,lin lunes,lun martes,mar
    miyerkules,miy huwebes,huw biyernes,biy sabado,sab am pm
    =fr janvier,janv février,févr mars avril,avr mai juin juillet,juil août septembre,sept
    octobre,oct novembre,nov décembre,déc dimanche,dim,di lundi,lun,lu mardi,mar,ma mercredi,mer,me
    jeudi,jeu,je vendredi,ven,ve samedi,sam,sa am pm
    =gl xaneiro,xan febreiro,feb marzo,mar abril,abr maio xuño xullo,xul agosto,ago setembro,set
    outubro,out novembro,nov decembro,dec domingo,dom,do luns,lu martes,mar,ma mércores,mér,mé
    xoves,xov,xo venres,ven,ve sábado,sáb,sá a.m p.m
    =gu જાન્યુઆરી,જાન૰ ફેબ્રુઆરી,ફેબ૰ માર્ચ એપ્રિલ મે જૂન જુલાઈ ઑગસ્ટ,ઑગ૰ સપ્ટેમ્બર,સપ્ટ૰ ઑક્ટોબર,ઑક્ટ૰ નવેમ્બર,નવ૰ ડિસેમ્બર,ડિસ૰ રવિવાર,રવિ
    સોમવાર,સોમ,સો મંગળવાર,મંગળ,મં બુધવાર,બુધ,બુ ગુરુવાર,ગુરુ,ગુ શુક્રવાર,શુક્ર,શુ શનિવાર,શનિ am pm
    =he ינואר,ינו׳ פברואר,פבר׳ מרץ אפריל,אפר׳ מאי יוני יולי אוגוסט,אוג׳ ספטמבר,ספט׳ אוקטובר,אוק׳
    נובמבר,נוב׳ דצמבר,דצמ׳ יום_ראשון,יום_א׳,א׳ יום_שני,יום_ב׳,ב׳ יום_שלישי,יום_ג׳,ג׳
    יום_רביעי,יום_ד׳,ד׳ יום_חמישי,יום_ה׳,ה׳ יום_שישי,יום_ו׳,ו׳ יום_שבת,שבת,ש׳ לפ׳ אח׳
    =hi जनवरी,जन॰ फ़रवरी,फ़र॰ मार्च अप्रैल मई जून जुलाई,जुल॰ अगस्त,अग॰ सितंबर,सित॰ अक्तूबर,अक्तू॰ नवंबर,नव॰ दिसंबर,दिस॰ रविवार,रवि
    सोमवार,सोम,सो मंगलवार,मंगल,मं बुधवार,बुध,बु गुरुवार,गुरु,गु शुक्रवार,शुक्र,शु शनिवार,शनि पू -
    =hr.. siječnja,siječanj,sij veljače,veljača,velj ožujka,ožujak,ožu travnja,travanj,tra
    svibnja,svibanj,svi lipnja,lipanj,lip srpnja,srpanj,srp kolovoza,kolovoz,kol rujna,rujan,ruj
    listopada,listopad,lis studenoga,studeni,stu prosinca,prosinac,pro nedjelja,ned ponedjeljak,pon
    utorak,uto srijeda,sri četvrtak,čet petak,pet subota,sub am pm
    =hu.. január,jan február,febr március,márc április,ápr május,máj június,jún július,júl
    augusztus,aug szeptember,szept október,okt november,nov december,dec vasárnap hétfő kedd
    szerda,sze csütörtök,cs péntek szombat,szo de du
    =hy հունվարի,հունվար,հնվ փետրվարի,փետրվար,փտվ մարտի,մարտ,մրտ ապրիլի,ապրիլ,ապր մայիսի,մայիս,մյս
    հունիսի,հունիս,հնս հուլիսի,հուլիս,հլս օգոստոսի,օգոստոս,օգս սեպտեմբերի,սեպտեմբեր,սեպ
    հոկտեմբերի,հոկտեմբեր,հոկ նոյեմբերի,նոյեմբեր,նոյ դեկտեմբերի,դեկտեմբեր,դեկ կիրակի,կիր,կր
    երկուշաբթի,երկ,եկ երեքշաբթի,երք,եք չորեքշաբթի,չրք,չք հինգշաբթի,հնգ,հգ ուրբաթ,ուր,ու
    շաբաթ,շբթ,շբ am pm
    =id januari,jan februari,feb maret,mar april,apr mei juni,jun juli,jul agustus,agu
    september,sep oktober,okt november,nov desember,des minggu,min senin,sen selasa,sel rabu,rab
    kamis,kam jumat,jum sabtu,sab am pm
    =is. janúar,jan febrúar,feb mars,mar apríl,apr maí júní,jún júlí,júl ágúst,ágú september,sep
    október,okt nóvember,nóv desember,des sunnudagur,sun,su mánudagur,mán,má þriðjudagur,þri,þr
    miðvikudagur,mið,mi fimmtudagur,fim,fi föstudagur,fös,fö laugardagur,lau,la f.h e.h
    =it gennaio,gen febbraio,feb marzo,mar aprile,apr maggio,mag giugno,giu luglio,lug agosto,ago
    settembre,set ottobre,ott novembre,nov dicembre,dic domenica,dom lunedì,lun martedì,mar
    mercoledì,mer giovedì,gio venerdì,ven sabato,sab am pm
    =ka იანვარი,იან თებერვალი,თებ მარტი,მარ აპრილი,აპრ მაისი,მაი ივნისი,ივნ ივლისი,ივლ აგვისტო,აგვ
    სექტემბერი,სექ ოქტომბერი,ოქტ ნოემბერი,ნოე დეკემბერი,დეკ კვირა,კვი,კვ ორშაბათი,ორშ,ორ
    სამშაბათი,სამ,სმ ოთხშაბათი,ოთხ,ოთ ხუთშაბათი,ხუთ,ხთ პარასკევი,პარ,პრ შაბათი,შაბ,შბ am pm
    =kk қаңтар,қаң ақпан,ақп наурыз,нау сәуір,сәу мамыр,мам маусым,мау шілде,шіл тамыз,там
    қыркүйек,қыр қазан,қаз қараша,қар желтоқсан,жел жексенбі,жс дүйсенбі,дс сейсенбі,сс сәрсенбі,ср
    бейсенбі,бс жұма,жм сенбі,сб am pm
    =kn ಜನವರಿ,ಜನ ಫೆಬ್ರವರಿ,ಫೆಬ್ರ ಮಾರ್ಚ್ ಏಪ್ರಿಲ್,ಏಪ್ರಿ ಮೇ ಜೂನ್ ಜುಲೈ ಆಗಸ್ಟ್,ಆಗ ಸೆಪ್ಟೆಂಬರ್,ಸೆಪ್ಟೆಂ ಅಕ್ಟೋಬರ್,ಅಕ್ಟೋ ನವೆಂಬರ್,ನವೆಂ ಡಿಸೆಂಬರ್,ಡಿಸೆಂ ಭಾನುವಾರ,ಭಾನು
    ಸೋಮವಾರ,ಸೋಮ ಮಂಗಳವಾರ,ಮಂಗಳ ಬುಧವಾರ,ಬುಧ ಗುರುವಾರ,ಗುರು ಶುಕ್ರವಾರ,ಶುಕ್ರ ಶನಿವಾರ,ಶನಿ am pm
    =lt sausio,sausis,saus vasario,vasaris,vas kovo,kovas,kov balandžio,balandis,bal
    gegužės,gegužė,geg birželio,birželis,birž liepos,liepa,liep rugpjūčio,rugpjūtis,rugp
    rugsėjo,rugsėjis,rugs spalio,spalis,spal lapkričio,lapkritis,lapkr gruodžio,gruodis,gruod
    sekmadienis,sk pirmadienis,pr antradienis,an trečiadienis,tr ketvirtadienis,kt penktadienis,pn
    šeštadienis,št priešpiet popiet
    =lv.. janvāris,janv februāris,febr marts aprīlis,apr maijs jūnijs,jūn jūlijs,jūl augusts,aug
    septembris,sept oktobris,okt novembris,nov decembris,dec svētdiena,svētd,sv pirmdiena,pirmd,pr
    otrdiena,otrd,ot trešdiena,trešd,tr ceturtdiena,ceturtd,ce piektdiena,piektd,pk
    sestdiena,sestd,se priekšp pēcp
    =mk јануари,јан февруари,фев март,мар април,апр мај јуни,јун јули,јул август,авг септември,сеп
    октомври,окт ноември,ное декември,дек недела,нед понеделник,пон вторник,вто среда,сре
    четврток,чет петок,пет сабота,саб претпл попл
    =ml ജനുവരി,ജനു ഫെബ്രുവരി,ഫെബ്രു മാർച്ച്,മാർ ഏപ്രിൽ,ഏപ്രി മേയ് ജൂൺ ജൂലൈ ഓഗസ്റ്റ്,ഓഗ സെപ്റ്റംബർ,സെപ്റ്റം ഒക്‌ടോബർ,ഒക്ടോ നവംബർ,നവം ഡിസംബർ,ഡിസം ഞായറാഴ്‌ച,ഞായർ,ഞാ
    തിങ്കളാഴ്‌ച,തിങ്കൾ,തി ചൊവ്വാഴ്ച,ചൊവ്വ,ചൊവ്വാഴ്‌ച,ചൊ ബുധനാഴ്‌ച,ബുധൻ,ബു വ്യാഴാഴ്‌ച,വ്യാഴം,വ്യാ വെള്ളിയാഴ്‌ച,വെള്ളി,വെ ശനിയാഴ്‌ച,ശനി am pm
    =mr जानेवारी,जाने फेब्रुवारी,फेब्रु मार्च एप्रिल,एप्रि मे जून जुलै ऑगस्ट,ऑग सप्टेंबर,सप्टें ऑक्टोबर,ऑक्टो नोव्हेंबर,नोव्हें डिसेंबर,डिसें रविवार,रवि सोमवार,सोम,सो
    मंगळवार,मंगळ,मं बुधवार,बुध,बु गुरुवार,गुरु,गु शुक्रवार,शुक्र,शु शनिवार,शनि am pm
    =ms januari,jan februari,feb mac april,apr mei jun julai,jul ogos,ogo september,sep oktober,okt
    november,nov disember,dis ahad,ahd,ah isnin,isn,is selasa,sel,se rabu,rab,ra khamis,kha,kh
    jumaat,jum,ju sabtu,sab,sa pg ptg
    =nb. januar,jan februar,feb mars,mar april,apr mai juni,jun juli,jul august,aug september,sep
    oktober,okt november,nov desember,des søndag,søn,sø mandag,man,ma tirsdag,tir,ti onsdag,ons,on
    torsdag,tor,to fredag,fre,fr lørdag,lør,lø am pm
    =ne जनवरी फेब्रुअरी मार्च अप्रिल मे जुन जुलाई अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर आइतबार,आइत सोमबार,सोम मङ्गलबार,मङ्गल बुधबार,बुध
    बिहिबार,बिहि शुक्रबार,शुक्र शनिबार,शनि पूर्वाह्न अपराह्न
    =nl januari,jan februari,feb maart,mrt april,apr mei juni,jun juli,jul augustus,aug
    september,sep oktober,okt november,nov december,dec zondag,zo maandag,ma dinsdag,di woensdag,wo
    donderdag,do vrijdag,vr zaterdag,za am pm
    =pl stycznia,styczeń,sty lutego,luty,lut marca,marzec,mar kwietnia,kwiecień,kwi maja,maj
    czerwca,czerwiec,cze lipca,lipiec,lip sierpnia,sierpień,sie września,wrzesień,wrz
    października,październik,paź listopada,listopad,lis grudnia,grudzień,gru niedziela,niedz,nie
    poniedziałek,pon wtorek,wt,wto środa,śr,śro czwartek,czw piątek,pt,pią sobota,sob am pm
    =pt janeiro,jan fevereiro,fev março,mar abril,abr maio,mai junho,jun julho,jul agosto,ago
    setembro,set outubro,out novembro,nov dezembro,dez domingo,dom segunda-feira,seg
    terça-feira,ter quarta-feira,qua quinta-feira,qui sexta-feira,sex sábado,sáb am pm
    =ro ianuarie,ian februarie,feb martie,mar aprilie,apr mai iunie,iun iulie,iul august,aug
    septembrie,sept octombrie,oct noiembrie,nov decembrie,dec duminică,dum,du luni,lun,lu
    marți,mar,ma miercuri,mie,mi joi vineri,vin,vi sâmbătă,sâm,sâ a.m p.m
    =ru января,январь,янв февраля,февраль,февр марта,март апреля,апрель,апр мая,май июня,июнь
    июля,июль августа,август,авг сентября,сентябрь,сент октября,октябрь,окт ноября,ноябрь,нояб
    декабря,декабрь,дек воскресенье,вс понедельник,пн вторник,вт среда,ср четверг,чт пятница,пт
    суббота,сб am pm
    =sk. januára,január,jan februára,február,feb marca,marec,mar apríla,apríl,apr mája,máj júna,jún
    júla,júl augusta,august,aug septembra,september,sep októbra,október,okt novembra,november,nov
    decembra,december,dec nedeľa,ne pondelok,po utorok,ut streda,st štvrtok,št piatok,pi sobota,so
    am pm
    =sl. januar,jan februar,feb marec,mar april,apr maj junij,jun julij,jul avgust,avg
    september,sep oktober,okt november,nov december,dec nedelja,ned ponedeljek,pon torek,tor
    sreda,sre četrtek,čet petek,pet sobota,sob dop pop
    =sq janar,jan shkurt,shk mars,mar prill,pri maj qershor,qer korrik,korr gusht,gush shtator,sht
    tetor,tet nëntor,nën dhjetor,dhj e_diel,die e_hënë,hën e_martë,mar e_mërkurë,mër e_enjte,enj
    e_premte,pre e_shtunë,sht e_paradites e_pasdites
    =sr.. јануар,јан фебруар,феб март,мар април,апр мај јун јул август,авг септембар,сеп
    октобар,окт новембар,нов децембар,дец недеља,нед,не понедељак,пон,по уторак,уто,ут среда,сре,ср
    четвртак,чет,че петак,пет,пе субота,суб,су am pm
    =sr.. januar,jan februar,feb mart,mar april,apr maj jun jul avgust,avg septembar,sep
    oktobar,okt novembar,nov decembar,dec nedelja,ned,ne ponedeljak,pon,po utorak,uto,ut
    sreda,sre,sr četvrtak,čet,če petak,pet,pe subota,sub,su am pm
    =sv januari,jan februari,feb mars april,apr maj juni juli augusti,aug september,sep oktober,okt
    november,nov december,dec söndag,sön,sö måndag,mån,må tisdag,tis,ti onsdag,ons,on
    torsdag,tors,to fredag,fre,fr lördag,lör,lö fm em
    =ta ஜனவரி,ஜன பிப்ரவரி,பிப் மார்ச்,மார் ஏப்ரல்,ஏப் மே ஜூன் ஜூலை ஆகஸ்ட்,ஆக செப்டம்பர்,செப் அக்டோபர்,அக் நவம்பர்,நவ டிசம்பர்,டிச
    ஞாயிறு,ஞாயி,ஞா திங்கள்,திங்,தி செவ்வாய்,செவ்,செ புதன்,புத,பு வியாழன்,வியா,வி வெள்ளி,வெள்,வெ சனி am pm
    =te జనవరి,జన ఫిబ్రవరి,ఫిబ్ర మార్చి ఏప్రిల్,ఏప్రి మే జూన్ జులై ఆగస్టు,ఆగ సెప్టెంబర్,సెప్టెం అక్టోబర్,అక్టో నవంబర్,నవం డిసెంబర్,డిసెం ఆదివారం,ఆది సోమవారం,సోమ
    మంగళవారం,మంగళ,మం బుధవారం,బుధ గురువారం,గురు శుక్రవారం,శుక్ర శనివారం,శని am pm
    =th มกราคม,ม.ค กุมภาพันธ์,ก.พ มีนาคม,มี.ค เมษายน,เม.ย พฤษภาคม,พ.ค มิถุนายน,มิ.ย กรกฎาคม,ก.ค สิงหาคม,ส.ค
    กันยายน,ก.ย ตุลาคม,ต.ค พฤศจิกายน,พ.ย ธันวาคม,ธ.ค วันอาทิตย์,อา วันจันทร์ วันอังคาร วันพุธ วันพฤหัสบดี,พฤ วันศุกร์
    วันเสาร์ am pm
    =tr ocak,oca şubat,şub mart,mar nisan,nis mayıs,may haziran,haz temmuz,tem ağustos,ağu
    eylül,eyl ekim,eki kasım,kas aralık,ara pazar,paz,pa pazartesi,pzt,pt salı,sal,sa
    çarşamba,çar,ça perşembe,per,pe cuma,cum,cu cumartesi,cmt,ct öö ös
    =uk січня,січень,січ лютого,лютий,лют березня,березень,бер квітня,квітень,квіт
    травня,травень,трав червня,червень,черв липня,липень,лип серпня,серпень,серп
    вересня,вересень,вер жовтня,жовтень,жовт листопада,листопад,лист грудня,грудень,груд неділя,нд
    понеділок,пн вівторок,вт середа,ср четвер,чт пʼятниця,пт субота,сб дп пп
    =ur جنوری,جنو فروری,فرو مارچ,مار اپریل,اپر مئی جون جولائی,جول اگست,اگس ستمبر,ستم اکتوبر,اکت
    نومبر,نوم دسمبر,دسم اتوار پیر منگل بدھ جمعرات جمعہ ہفتہ am pm
    =vi - - - - - - - - - - - - chủ_nhật,cn thứ_hai thứ_ba thứ_tư thứ_năm thứ_sáu thứ_bảy sa ch
    =persian فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند
    """
}
