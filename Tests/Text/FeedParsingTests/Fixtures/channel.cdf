<?xml version="1.0"?>
<CHANNEL HREF="http://cdf.example/">
  <TITLE>Active channel</TITLE>
  <ABSTRACT>From 1997</ABSTRACT>
  <LOGO HREF="http://cdf.example/logo.gif" STYLE="ICON"/>
  <ITEM HREF="http://cdf.example/1" LASTMOD="1997-09-10T12:00">
    <TITLE>One</TITLE>
    <ABSTRACT>The first</ABSTRACT>
  </ITEM>
</CHANNEL>
