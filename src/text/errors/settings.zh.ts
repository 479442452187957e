import { placesZh } from "../places.ts";
import { byReader, command, say } from "../reader.ts";
import type { ErrorText } from "./error-text.ts";
import type { settingsEn } from "./settings.en.ts";

const ASK_OPERATOR = "请稍后再试；如果一直如此，请联系这个服务的管理员。";

export const settingsZh: Record<keyof typeof settingsEn, ErrorText> = {
  "tool.config.invalid.unknown_tool_name": {
    message: "{key} 中的工具不存在：{tool}。",
    recovery: say`请在 ${command("config")} 显示的地方改正；现有工具：{known}。`,
  },
  "tool.config.invalid.backend_url_missing": {
    message: "还没有选择网络。",
    recovery: say`请在终端运行 ${command("setup")} 来选择；想先在本机试用：${command("network", "sandbox")}。`,
  },
  "tool.config.invalid.file": {
    message: "无法使用 {path}（{reason}），因此不知道你使用的是哪个网络。",
    recovery: say`请改正这个文件；${command("doctor")} 会说明它有什么问题。`,
  },
  "tool.config.invalid.file_encoding": {
    message: "{path} 是 UTF-16 编码，而配置按 UTF-8 读取；文件没有改动。",
    recovery: "请把这个文件另存为 UTF-8。",
  },
  "tool.config.invalid.value": {
    message: "{key} 应为 {expected}，而 {where} 给出的是别的值。",
    recovery: say`请改正这个值；${command("config")} 会列出每项配置及其来源。`,
  },
  "tool.config.invalid.network": {
    message: "这不是网络地址。",
    recovery: say`请输入 https://… 或 sandbox，例如：${command("network", "sandbox")}`,
  },
  "tool.config.invalid.unfilled": {
    message: "{key} 还是没有填写的占位符（{where}）。",
    recovery: say`请在 {where} 中填入真实的值，或把它去掉，然后重新启动；可用 ${command("doctor")} 检查。`,
  },
  "tool.config.invalid.serve_option": {
    message: "{option} 应为 {expected}。",
    recovery: say`各选项可取的值：${command("serve", "--help")}`,
  },
  "tool.config.invalid.serve_host": {
    message: "其他机器也能访问 {host}，却没有说明用什么名字访问。",
    recovery: say`请用 --public-url 给出客户端使用的地址，或用 --allowed-hosts 给出名字：${command("serve", "--help")}`,
  },
  "tool.config.invalid.unknown_key": {
    message: "没有名为 {key} 的配置项。",
    recovery: say`${command("config")} 会列出全部配置项：{known}。`,
  },
  "tool.config.blocked.http_refused": {
    message: "拒绝以明文 http 访问 {host}：令牌和资料会在途中被看到。",
    recovery: say`请改用 https（${command("network")}）；网络可信时可以放行：${command("config", "set", "allow_http", "true")}`,
  },
  "tool.config.invalid.newer_version": {
    message: "{file} 由更高版本的本程序写入（格式 {format}，当前版本只认识 {known}）。",
    recovery: say`请更新 towow-mcp，或让 TOWOW_HOME 指向别的文件夹。文件保持原样；${command("doctor")} 会指出它。`,
  },
  "tool.config.invalid.home": {
    message: "{variable} 必须是完整路径，现在是“{value}”。",
    recovery: say`请把 {variable} 设为文件夹的完整路径；TOWOW_HOME 也可以不设。然后运行：${command("doctor")}`,
  },
  "tool.config.invalid.proxy": {
    message: "{variable} 里的代理无法使用。什么都没有发送。",
    recovery: say`请改为 http://… 或 socks5://…，或者不设 {variable}。然后运行：${command("doctor")}`,
  },
  "tool.config.invalid.relative_path": {
    message: "{variable} 里必须是完整路径；“{value}”指向的是当前打开的文件夹。什么都没有发送。",
    recovery: say`请写完整路径，或者不设 {variable}。然后运行：${command("doctor")}`,
  },
  "tool.config.unavailable.home_unwritable": {
    message: byReader({ model: "无法写入文件夹 {path}（{reason}）。", endpoint: "这个服务现在无法记录发生的事。" }),
    recovery: say`${command("doctor")} 会给出修复方法；也可让 TOWOW_HOME 指向可写的文件夹。`,
  },
  "tool.config.unavailable.port": {
    message: "端口 {port} 无法使用：{reason}。",
    recovery: say`${command("{listener}", "--port", "0")} 会自动选择空闲端口。`,
  },
  "tool.config.unavailable.mock_data": {
    message: "模拟后端不能用 {file} 保存数据（{reason}）。",
    recovery: say`请用 --data 指定一个它专用的文件，或不指定：${command("mock")}`,
  },
  "tool.config.unavailable.sandbox": {
    message: "沙盒没有启动，问题出在 {path}（{reason}）。",
    recovery: byReader({ model: say`请重试；${command("doctor")} 会指出原因。`, endpoint: ASK_OPERATOR }),
  },
  "tool.config.invalid.sandbox_not_shared": {
    message: "沙盒只属于一个人，别人不能使用它。",
    recovery: say`请用 ${command("mock")} 启动一个共用的模拟后端，再填写它的地址。`,
  },
  "tool.config.unavailable.store": {
    message: "共享存储没有应答。",
    recovery: "请过几秒再试；若一直如此，请让管理员检查存储。",
  },
  "tool.config.timeout.locked": {
    message: "另一个程序锁住 {path} 已达 {waited_s} 秒。",
    recovery: byReader({ model: say`请重试；若一直如此，用 ${command("doctor")} 查找原因。`, endpoint: ASK_OPERATOR }),
  },
  "tool.config.invalid.unknown_client": {
    message: "setup 不认识客户端 {client}。",
    recovery: say`可用的有：{known}。详见：${command("setup", "--help")}`,
  },
  "tool.config.invalid.client_scope": {
    message: "{client} 没有 {scope} 这一级的配置。",
    recovery: say`可用的有：{scopes}（例如 ${command("setup", "{client}", "--scope", "user")}）。`,
  },
  "tool.config.invalid.client_endpoint": {
    message: "{client} 不从文件读取端点地址。",
    recovery: "请在它自己的设置里的“连接器”中添加这个地址。",
  },
  "tool.config.invalid.endpoint_address": {
    message: "端点的地址形如 https://…/mcp，不带密码、查询参数或其他路径。",
    recovery: say`请填写团队管理员给你的地址；http 只用于本机。详见：${command("setup", "--help")}`,
  },
  "tool.config.invalid.client_config_syntax": {
    message: "{path} 第 {line} 行第 {column} 列无法解析：{problem}。",
    recovery: "文件保持原样；修好那一处后，再运行一次同样的命令。",
  },
  "tool.config.invalid.client_config_shape": {
    message: "{path} 中 {key} 处是别的内容，或其写法无法安全修改。",
    recovery: say`文件保持原样，请手动修改。应填写的内容：${command("setup", "--print")}`,
  },
  "tool.config.unavailable.client_config": {
    message: "无法读取或写入 {path}（{reason}）。",
    recovery: say`没有任何更改；请修正这个文件或它的权限，或粘贴此命令打印的内容：${command("setup", "--print")}`,
  },
  "tool.config.conflict.client_config_changed": {
    message: "{path} 此刻正被其他程序写入，因此保持原样。",
    recovery: "请关闭该客户端，再运行同一命令。",
  },
  "tool.config.conflict.client_entry": {
    message: "{client} 的 {path} 中已有另一个名为 towow 的条目，而这里无人可问。",
    recovery: say`如果可以替换，请用相同的选项运行 ${command("{command}")}。`,
  },
  "tool.config.conflict.newer_copy": {
    message: "{client} 启动的是 towow-mcp {theirs}，比当前的 {own} 新，保持原样。",
    recovery: say`请按 README 更新当前版本；要退回 {own}，请运行 ${command("{command}")}。`,
  },
  "tool.config.unavailable.program_copy": {
    message: "本程序在 {path} 的副本无法改动（{reason}）。",
    recovery: say`请让该文件夹可写，磁盘已满时腾出空间，或让 TOWOW_HOME 指向别处，然后再运行：${command("setup")}`,
  },
  "tool.config.unavailable.program_files": {
    message: "本程序不完整：无法读取 {path}（{reason}），因此不能复制。",
    recovery: say`请按 README 重新安装，然后运行：${command("setup")}`,
  },
  "tool.config.unavailable.client_command": {
    message: "{command} 没有成功（{reason}）。",
    recovery: say`请手动运行它查看详情，或粘贴此命令打印的内容：${command("setup", "--print")}`,
  },
  "tool.config.unavailable.working_folder": {
    message: "终端所在的文件夹已被删除。",
    recovery: "请换到别的文件夹，再运行一次同样的命令。",
  },
  "tool.config.blocked.secret_argument": {
    message: "命令行里的密钥会被他人看到。",
    recovery: say`请在终端中运行 ${command("{command}")}，或从标准输入提供。`,
  },
  "tool.config.invalid.own_key": {
    message: "{key} 由程序自己维护，不能设置。",
    recovery: say`可以设置哪些、目前如何：${command("config")}`,
  },
  "tool.config.invalid.identity_key": {
    message: "{key} 属于你的身份。",
    recovery: say`要清除它：${command("forget", "--identity")}`,
  },
  "tool.config.not_found.browser": {
    message: "没有名为 {name} 的浏览器可以替你做决定。",
    recovery: say`现有的浏览器：${command("whoami")}`,
  },
  "tool.config.unavailable.report_file": {
    message: "无法写入 {path}（{reason}）。",
    recovery: byReader({ model: "请用 --out 指定别的位置。", room: placesZh.nowhere.room }),
  },
  "tool.config.blocked.report_link": {
    message: "{path} 是链接，报告不会经由链接写入（{reason}）。",
    recovery: byReader({
      model: "请先删除它，用 --out 另指定文件，或用 --out - 写到标准输出。",
      room: placesZh.nowhere.room,
    }),
  },
};
