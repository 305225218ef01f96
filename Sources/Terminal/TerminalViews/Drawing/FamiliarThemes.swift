// Palettes that people know from other programs. Colours with too little contrast on their
// background are moved towards white or black until a test finds them readable.
nonisolated extension Theme {
  public static let gruvbox = painted(
    "gruvbox",
    Colors(
      ground: 0x28_2828, text: 0xEB_DBB2, secondary: 0xA8_9984, bright: 0xFB_F1C7,
      accent: 0x83_A598, rule: 0x50_4945, star: 0xFA_BD2F, error: 0xFC_6A59, code: 0xB8_BB26,
      keyword: 0xD3_869B, hit: 0xFE_8019, bar: 0x3C_4A47, mark: 0x32_302F))

  public static let gruvboxLight = painted(
    "gruvbox-light",
    Colors(
      ground: 0xFB_F1C7, text: 0x3C_3836, secondary: 0x70_645A, bright: 0x1D_2021,
      accent: 0x07_6678, rule: 0xD5_C4A1, star: 0x8D_5C10, error: 0x9D_0006, code: 0x6D_680D,
      keyword: 0x8F_3F71, hit: 0xAF_3A03, bar: 0xD3_D8B9, mark: 0xF2_E5BC))

  public static let nord = painted(
    "nord",
    Colors(
      ground: 0x2E_3440, text: 0xD8_DEE9, secondary: 0xA8_B1C1, bright: 0xEC_EFF4,
      accent: 0x88_C0D0, rule: 0x4C_566A, star: 0xEB_CB8B, error: 0xD9_A0A6, code: 0xA3_BE8C,
      keyword: 0xC4_A7BF, hit: 0xDB_A492, bar: 0x3F_5468, mark: 0x3B_4252))

  public static let catppuccin = painted(
    "catppuccin",
    Colors(
      ground: 0x1E_1E2E, text: 0xCD_D6F4, secondary: 0x93_99B2, bright: 0xF2_F4FF,
      accent: 0x89_B4FA, rule: 0x45_475A, star: 0xF9_E2AF, error: 0xF3_8BA8, code: 0xA6_E3A1,
      keyword: 0xCB_A6F7, hit: 0xFA_B387, bar: 0x33_446A, mark: 0x29_2A3D))

  public static let catppuccinLatte = painted(
    "catppuccin-latte",
    Colors(
      ground: 0xEF_F1F5, text: 0x4C_4F69, secondary: 0x63_667A, bright: 0x30_3346,
      accent: 0x1C_5EE1, rule: 0xBC_C0CC, star: 0x8F_5B13, error: 0xCE_0F38, code: 0x2F_7620,
      keyword: 0x85_38EA, hit: 0xB2_4608, bar: 0xC9_D8F6, mark: 0xE6_E9EF))

  public static let solarized = painted(
    "solarized",
    Colors(
      ground: 0x00_2B36, text: 0xA0_AEAE, secondary: 0x85_9698, bright: 0xEE_E8D5,
      accent: 0x44_9BD8, rule: 0x2A_5058, star: 0xB8_8E0A, error: 0xE6_706D, code: 0x8A_9D0A,
      keyword: 0x89_8DD0, hit: 0xD9_7A53, bar: 0x0D_4A63, mark: 0x03_303B))

  public static let solarizedLight = painted(
    "solarized-light",
    Colors(
      ground: 0xFD_F6E3, text: 0x4A_5F66, secondary: 0x5B_6F76, bright: 0x07_3642,
      accent: 0x1E_6FA8, rule: 0xC9_C6B5, star: 0x86_6500, error: 0xCA_2E2B, code: 0x65_7400,
      keyword: 0x61_66B0, hit: 0xBB_4514, bar: 0xCF_E3EA, mark: 0xF7_F0DD))
}
