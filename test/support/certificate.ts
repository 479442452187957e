import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Makes a key and a certificate for localhost that nobody vouches for, and gives their files in the folder. */
export function localCertificate(folder: string): { key: string; cert: string } {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "ca.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...names], {
    stdio: "ignore",
  });
  return { key, cert };
}
