/** Texts that a template, a client or a script should have replaced by a value. */
const PLACEHOLDERS: readonly RegExp[] = [
  /[$#@]\{/, // ${X}, ${env:X}, ${{ secrets.X }}, tok-${X}, #{X}, @{X}
  /\{\{|\{%/, // {{X}}, {% X %}
  /^\$\$?[a-z_]\w*$/i, // $X
  /^\$env:\w+$/i,
  /^\$\(.*\)$/,
  /^%{1,2}[a-z_]\w*%{1,2}$/i, // %X%, %%X%%
  /^\{[a-z]+[:.][^{}]+\}$/i, // {env:X}, {env.X}, {file:path}
  /^\{(?![0-9a-f]{16,}\})[a-z_]\w*\}$/i, // {X}, but no id in braces
  /^[<＜][^<>＜＞]*[>＞]$/, // <your-token>, <nil>, ＜令牌＞
  /^@@?[a-z_]\w*@@?$/i, // @X@
  /^__[a-z]\w*__$/i, // __X__
  /^(?:process\.)?env[.:][A-Z_]+$/,
  /^op:\/\//, // A password manager should have resolved this.
  /^TOWOW_[A-Z_]+$/, // The name of a variable stands where its value should.
  /^(?:undefined|null|none|\(null\)|\[object \w+\])$/i,
  /^NaN$/,
  /(?:^|[-_.:@/])undefined$/, // user-undefined
  /^[[<{(]?(?:(?:insert|enter|paste|put|add|use)[-_ ])?your(?:[-_ ]|token|api|key|id|user|$)/i,
  /(?:^|[-_ ])(?:token|key|id|secret)[-_ ]here$/i,
  /^(?:change|replace|fill)[-_ ]?(?:me|this|it)(?:[-_ ]in)?$/i,
  /^[x*.…_-]{3,40}$/i, // xxx, ***, ...
  /^[你您]的/,
];
const QUOTED = /^(["'`])(.*)\1$/s;

/**
 * Returns whether an id or a token is a placeholder. Everybody who left the placeholder in would share one account. What a
 * backend issues (base64, hex, a UUID, a JWT) never looks like a placeholder.
 */
export function isPlaceholder(value: string): boolean {
  const bare = value.trim().replace(/^bearer\s+/i, "");
  const text = QUOTED.exec(bare)?.[2]?.trim() ?? bare;
  return PLACEHOLDERS.some((form) => form.test(text));
}
