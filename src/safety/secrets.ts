/** Replaces a secret. No pattern in this file matches it. */
const HIDDEN = "***";
/**
 * The maximum number of passes over a text. A secret that is glued to another one is found only after the other is
 * hidden.
 */
const MAX_ROUNDS = 6;

/** Matches a block with a private key. A block without an end line reaches at most to the next dashes. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\x20-\x2C\x2E-\x7E\s]|-(?!-))*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g;
/** Matches a JSON Web Token. The lookbehind makes sure that a run of token characters is tried only once, at its start. */
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/g;
const KNOWN_KEYS = new RegExp(
  `(?<![A-Za-z0-9_-])(?:${[
    String.raw`sk-(?=[\w-]{0,40}\d)[\w-]{16,}`,
    String.raw`[spr]k_(?:live|test)_\w{10,}`,
    "gh[opsur]_[A-Za-z0-9]{20,}",
    String.raw`github_pat_\w{20,}`,
    String.raw`glpat-[\w-]{16,}`,
    String.raw`xox[abeoprs]-[\w-]{10,}`,
    "(?:AKIA|ASIA|AKLT)[A-Z0-9]{16,}",
    "LTAI[A-Za-z0-9]{12,}",
    "AKID[A-Za-z0-9]{13,}",
    String.raw`AIza[\w-]{30,}`,
    String.raw`ya29\.[\w-]{20,}`,
    "(?:npm|hf|pypi|dop_v1|sq0atp|shpat)[_-][A-Za-z0-9]{20,}",
    String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
    String.raw`towow_(?=[\w-]{0,40}\d)[\w-]{16,}`,
  ].join("|")})[A-Za-z0-9_-]*`, // Whatever is glued to a key is hidden too, because it may be another key.
  "g",
);
const AUTHORIZATION =
  /((?:proxy-)?authorization["']?\s{0,3}[:=：]\s{0,3}["']?)(?:(?:bearer|basic|digest|token|negotiate|apikey)\s{1,3}[^\s"',;*][^\s"',;]*|[^\s"',;*][^\s"',;]{15,})/gi;
const BEARER = /(\b(?:bearer|basic)\s{1,3})(?=[^\s"',;]{0,60}\d)[\w.~+/=-]{12,}/gi;
const USER_INFO = /(:\/\/[^\s/@:]{0,100}:)[^\s/@]{1,200}@/g;

const NAMES =
  "(?:x-amz-(?:signature|credential|security-token)|x-api-key|access[_-]?token|refresh[_-]?token|id[_-]?token|auth[_-]?token|session[_-]?token|api[_-]?token|token|api[_-]?key|access[_-]?key(?:[_-]?(?:id|secret))?|ossaccesskeyid|secret[_-]?key|private[_-]?key|app[_-]?secret|client[_-]?secret|secret|signature|sig|password|passwd|pwd|密码|密碼|口令|密钥|密鑰)";
/**
 * Matches such a name in the query of a URL, in which every value counts as a secret. Elsewhere (`ASSIGNED`) the
 * value must look random, so that `token: string` stays code.
 */
const QUERY = new RegExp(String.raw`([?&;#]${NAMES}=)[^\s&#"'<>;)\]]+`, "gi");
const ASSIGNED = new RegExp(
  String.raw`(?<![A-Za-z0-9_])(${NAMES}["'\x60*]{0,3}\s{0,3}(?:[:=：]|是|为|is)\s{0,3}["'\x60*]{0,3})(?=[^\s"'\x60,;]{0,80}\d)(?=[^\s"'\x60,;]{0,80}[A-Za-z_@!#$%])[^\s"'\x60,;&，。；、()（）<>\[\]{}]{6,}`,
  "gi",
);
const SECRET_FIELD = new RegExp(`^${NAMES}$|^authorization$|^cookie$|^set-cookie$`, "i");

/**
 * Returns the text with bearer tokens, keys, signed query parameters and passwords replaced by `***` (seed 003 §4.1).
 * Secrets are masked under all settings.
 */
export function maskSecrets(text: string): string {
  let masked = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = masked;
    masked = maskedOnce(before);
    if (masked === before) break;
  }
  return masked;
}

/** Matches a text of letters, digits and dashes only, such as an id. Only two of the patterns can match such a text. */
const WORD = /^[\w-]*$/;

function maskedOnce(text: string): string {
  if (WORD.test(text)) return text.replace(KNOWN_KEYS, HIDDEN).replace(ASSIGNED, `$1${HIDDEN}`);
  return text
    .replace(PRIVATE_KEY, HIDDEN)
    .replace(JWT, HIDDEN)
    .replace(AUTHORIZATION, `$1${HIDDEN}`)
    .replace(BEARER, `$1${HIDDEN}`)
    .replace(KNOWN_KEYS, HIDDEN)
    .replace(USER_INFO, `$1${HIDDEN}@`)
    .replace(QUERY, `$1${HIDDEN}`)
    .replace(ASSIGNED, `$1${HIDDEN}`);
}

/**
 * Masks the secrets in the value of a field. If the field's name says that its value is a secret, the whole value is
 * hidden.
 */
export const maskSecretField = (name: string, text: string): string =>
  SECRET_FIELD.test(name.trim()) && text.trim() !== "" ? HIDDEN : maskSecrets(text);
