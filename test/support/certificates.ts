import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** An authority for tests and a certificate of it for `san`, as PEM. */
export function createCertificate(san: string): { ca: string; cert: string; key: string } {
  const dir = mkdtempSync(join(tmpdir(), "parley-certificate-"));
  const at = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "ignore" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  try {
    openssl(
      "req",
      "-x509",
      ...newKey,
      "-days",
      "2",
      "-subj",
      "/CN=Test CA",
      "-keyout",
      at("ca.key"),
      "-out",
      at("ca.pem"),
    );
    openssl("req", ...newKey, "-subj", "/CN=test", "-keyout", at("key"), "-out", at("csr"));
    writeFileSync(at("ext"), `subjectAltName=${san}\n`);
    const authority = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial"];
    openssl("x509", "-req", "-in", at("csr"), ...authority, "-days", "2", "-extfile", at("ext"), "-out", at("pem"));
    const read = (name: string) => readFileSync(at(name), "utf8");
    return { ca: read("ca.pem"), cert: read("pem"), key: read("key") };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
