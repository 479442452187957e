/** The meanings of the codes of reasons. The first pattern that matches counts. */
const REASONS: readonly { code: RegExp; en: string; zh: string }[] = [
  { code: /^EADDRINUSE$/, en: "another program uses it", zh: "已被其他程序占用" },
  { code: /^EADDRNOTAVAIL$/, en: "this machine does not have that address", zh: "本机没有这个地址" },
  { code: /^(EACCES|EPERM)$/, en: "no permission", zh: "没有权限" },
  { code: /^EISDIR$/, en: "it is a folder", zh: "它是文件夹" },
  { code: /^(EEXIST|ENOTDIR)$/, en: "it is not a folder", zh: "它不是文件夹" },
  { code: /^(not_a_file|EINVAL)$/, en: "it is not a regular file", zh: "它不是普通文件" },
  { code: /^read-only$/, en: "read-only", zh: "只读" },
  { code: /^not UTF-8$/, en: "not UTF-8", zh: "不是 UTF-8" },
  { code: /^ValueExpected$/, en: "a value is missing", zh: "缺少值" },
  { code: /^PropertyNameExpected$/, en: "a name in quotes is missing", zh: "缺少带引号的名称" },
  { code: /^CommaExpected$/, en: "a comma is missing", zh: "缺少逗号" },
  { code: /^ColonExpected$/, en: "a colon is missing", zh: "缺少冒号" },
  { code: /^CloseBraceExpected$/, en: "a closing } is missing", zh: "缺少右括号 }" },
  { code: /^CloseBracketExpected$/, en: "a closing ] is missing", zh: "缺少右括号 ]" },
  { code: /^EndOfFileExpected$/, en: "there is more after the end", zh: "结尾之后还有内容" },
  { code: /^Invalid(Symbol|Character)$/, en: "it is not JSON", zh: "这里的内容不是 JSON" },
  { code: /^InvalidCommentToken$/, en: "the client allows no comments", zh: "这个客户端不允许注释" },
  {
    code: /^TrailingComma$/,
    en: "the client allows no comma after the last value",
    zh: "这个客户端不允许最后一项后面有逗号",
  },
  {
    code: /^ByteOrderMark$/,
    en: "the client allows no byte order mark; save it as UTF-8 without BOM",
    zh: "这个客户端不允许文件以 BOM 开头；请存成不带 BOM 的 UTF-8",
  },
  { code: /^UnexpectedEndOfComment$/, en: "the comment does not end", zh: "注释没有结束" },
  { code: /^UnexpectedEndOfString$/, en: "the closing quote is missing", zh: "缺少右引号" },
  {
    code: /^Invalid(Unicode|EscapeCharacter)$/,
    en: "the escape after the backslash is not valid",
    zh: "反斜杠后的转义无效",
  },
  { code: /^NestedTooDeeply$/, en: "it is nested too deeply", zh: "嵌套太深" },
  { code: /^(not_a_number|InvalidNumberFormat|UnexpectedEndOfNumber)$/, en: "it is not a number", zh: "不是数字" },
  { code: /^out_of_range$/, en: "ports are whole numbers from 0 to 65535", zh: "端口应为 0 到 65535 的整数" },
  { code: /^bad_port$/, en: "HTTP requests to this port are not allowed", zh: "这个端口不允许 HTTP 请求" },
  { code: /^proxy_refused$/, en: "the proxy refuses to pass it on", zh: "代理拒绝转发" },
  { code: /^proxy_not_http$/, en: "the proxy does not speak HTTP", zh: "代理不使用 HTTP" },
  { code: /^proxy_not_socks$/, en: "the proxy does not speak SOCKS5", zh: "代理不使用 SOCKS5" },
  { code: /^not_json$/, en: "not JSON", zh: "不是 JSON" },
  { code: /^utf16$/, en: "UTF-16 text; save it as UTF-8", zh: "是 UTF-16 编码，请另存为 UTF-8" },
  { code: /^not_object$/, en: "JSON, but not an object of settings", zh: "是 JSON，但不是由设置组成的对象" },
  { code: /^timeout$/, en: "it did not answer in time", zh: "没有及时应答" },
  { code: /^cut_body$/, en: "its answer broke off", zh: "应答中断" },
  { code: /^server_error_/, en: "it failed", zh: "后端出错" },
  { code: /^(wrong_shape|too_large)$/, en: "its answer could not be used", zh: "应答无法使用" },
  { code: /^CERT_HAS_EXPIRED$/, en: "its certificate has expired", zh: "它的证书已过期" },
  { code: /^CERT_NOT_YET_VALID$/, en: "its certificate is not valid yet", zh: "它的证书尚未生效" },
  { code: /^ERR_TLS_CERT_ALTNAME_/, en: "its certificate is for another name", zh: "它的证书属于另一个域名" },
  {
    code: /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    en: "its certificate is not trusted here",
    zh: "它的证书在这里不受信任",
  },
  { code: /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, en: "it does not speak TLS", zh: "它不使用 TLS" },
  { code: /^ERR_(TLS|SSL)_/, en: "the TLS handshake failed", zh: "TLS 握手失败" },
];

/**
 * Matches the codes of the operating system and of Node. Such a code is added to the words, because people search for
 * it. This program's own codes would add nothing to the words.
 */
const IS_SYSTEMS = /^[A-Z0-9_]+$/;

/**
 * Returns the meaning of a reason's code, followed by the code if it is one of the system's. Undefined if the code
 * has no words.
 */
export function reasonIn(lang: "zh" | "en", code: string): string | undefined {
  const words = REASONS.find((one) => one.code.test(code))?.[lang];
  if (words === undefined || !IS_SYSTEMS.test(code)) return words;
  return `${words}${lang === "zh" ? "，" : ", "}${code}`;
}
