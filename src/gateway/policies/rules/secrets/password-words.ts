/** Words for a password and for a key, by language: data for labels, heads of tables and sentences. */

/** Words of which a cell tells one. */
export const passwordWords: readonly string[] = [
  'password',
  'passwd',
  'pwd',
  'passwort',
  'kennwort',
  'contraseña',
  'mot de passe',
  'senha',
  'wachtwoord',
];

/** Words that end others as well (`Initialpasswort`), or are written without a blank before them. */
const joined: readonly string[] = [
  // German, Dutch, Danish, Norwegian, Swedish, Finnish, Estonian
  'passwort|kennwort|wachtwoord|adgangskode|kodeord|passord|lösenord|salasana|parool',
  // Hebrew, Arabic, Persian, Hindi, Bengali, Tamil
  'סיסמ|كلمة المرور|كلمة السر|كلمة مرور|گذرواژه|رمز عبور|पासवर्ड|পাসওয়ার্ড|கடவுச்சொல்',
  // Thai, Chinese, Japanese, Korean
  'รหัสผ่าน|密码|密碼|口令|パスワード|비밀번호|패스워드|비번|암호',
].flatMap((words) => words.split('|'));

/** Words that stand alone, some of which begin or end others that say something else. */
const apart: readonly string[] = [
  // French, Spanish, Portuguese, Italian, Catalan, Romanian, Basque, Albanian
  'mot de passe|mdp|contraseña|clave|senha|palavra-passe|parola|contrasenya|parolă|pasahitza|fjalëkalim',
  // Polish, Czech and Slovak, Croatian, Slovenian, Lithuanian, Hungarian, Turkish
  'hasło|heslo|lozinka|geslo|slaptažodis|jelsz|şifre',
  // Russian and Ukrainian, Bulgarian, Serbian, Greek
  'пароль|парола|лозинка|κωδικός|συνθηματικό',
  // Vietnamese, Indonesian and Malay
  'mật khẩu|kata sandi|kata laluan',
].flatMap((words) => words.split('|'));

export const foreignWords: readonly string[] = [...joined, ...apart];
export const foreignWord = `(?:${joined.join('|')}|(?<!\\p{L})(?:${apart.join('|')}))`;

/** Verbs and signs that stand between such a word and its value. */
export const foreignLinks =
  '(?:ist|lautet|est|es|é|è|är|er|on|je|este|eshte|është|yra|ir|to|jest|είναι|היא|הוא|هي|هو|است|है|হল|คือ|là|adalah|ialah|это|є|—|–|-|is|是|为|為|は|は、|은|는|이|：|:|=|->|→|=>)';

const notes =
  'provisoires?|temporaires?|initial[ea]?|actuel|temporal|provisional|inicial|nuev[ao]|actual|temporári[ao]|provisóri[ao]|nov[ao]|temporane[ao]|provvisori[ao]|iniziale|tymczasowe|startowe|nowe|dočasné|nové|ideiglenes|geçici|тимчасовий|временный|новый|новий|новая|πρόσβασης|temporär|temporary|initial|neu|alt|wi-?fi|wlan|admin|root|vpn|ssh|s?ftp|e-?mail|mail|sql|(?:für|for|pour|para|per|voor|för|til|till|de|do|da|di|del|dla|pro|zum|zur|от|до|на|к|для|від|für den|für die|für das)(?:\\s[\\p{L}\\d._-]{1,20}){1,2}';
/** Words between it and a colon: for the first time, for a while, of a net or a service. */
export const foreignNotes = `(?:(?:\\s(?:${notes})|\\s?\\((?:${notes})\\)){1,2}(?=\\s{0,3}(?:[:：=]|->|→)))?`;

const access = "(?:[ -](?:api|secr[èeé]t[aeo]?|d['’]accès|de acceso|di accesso|de acesso|d['’]api|de api|dostępu))";
/** Keys and tokens; the word for a key alone opens doors and music as well. */
export const foreignKeyWord = `(?:(?<!\\p{L})(?:clés?|clave|chave|chiave|clau|klucz|klíč|kľúč|ключ)${access}|(?<!\\p{L})(?:jetons?|token)${access}?|(?:api|zugangs|zugriffs)[- ]?(?:schlüssel|sleutel|nyckel|nøgle|nøkkel|avain|kulcs|code)|(?:секретный|api)[ -]ключ|код доступа|токен|(?:api|密)[ -]?(?:密钥|密鑰|金鑰|키|キー)|密钥|密鑰|金鑰|令牌|トークン|토큰)`;
/** Pieces of which one stands in each; letters of everyday texts (é, ü, ’) are left out, for each is looked at. */
export const foreignKeyWords: readonly string[] = [
  "api :|api: |api：|api est|api es |api ist|token d'|token de |token di |jeton|api-schl|api schl|zugangsschl|zugriffsschl",
  'api-sleutel|api-n|api-avain|api-kulcs|zugangscode|ключ|код доступа|токен|密钥|密鑰|金鑰|キー|키|令牌|トークン|토큰',
].flatMap((words) => words.split('|'));
