/** The encryption of RFC 8188 and 8291; the package has no types of its own. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  interface EncryptOptions {
    version: "aes128gcm";
    /** The key of the receiver, base64url. */
    dh: string;
    privateKey: ECDH;
    /** 16 bytes, base64url. */
    salt: string;
    authSecret: string;
  }

  export function encrypt(content: Buffer, options: EncryptOptions): Buffer;
}
