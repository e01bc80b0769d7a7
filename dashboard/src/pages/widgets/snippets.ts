/** What goes into a page. */
export const pageSnippet = (origin: string, publicId: string): string =>
  `<script async src="${origin}/widget.js" data-widget="${publicId}"></script>`;

// The same code as in docs/widgets.md, where it is run as a test; a test compares the two.

const NODE = `import { createHmac } from "node:crypto";

/** A token for the visitor who is signed in. \`secret\` is the widget's identity secret, \`wis_…\`. */
export function identityToken(secret, user) {
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const payload = {
    sub: user.id,
    name: user.name,
    email: user.email,
    exp: Math.floor(Date.now() / 1000) + 1800,
  };
  const signed = \`\${encode({ alg: "HS256", typ: "JWT" })}.\${encode(payload)}\`;
  const key = Buffer.from(secret.replace(/^wis_/, ""), "base64");
  return \`\${signed}.\${createHmac("sha256", key).update(signed).digest("base64url")}\`;
}`;

const PYTHON = `import base64
import hashlib
import hmac
import json
import time


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def identity_token(secret, user):
    """A token for the visitor who is signed in. secret: the widget's identity secret, wis_…"""
    header = encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    payload = encode(
        json.dumps(
            {
                "sub": user["id"],
                "name": user["name"],
                "email": user["email"],
                "exp": int(time.time()) + 1800,
            }
        ).encode()
    )
    key = base64.b64decode(secret.removeprefix("wis_"))
    signature = hmac.new(key, f"{header}.{payload}".encode(), hashlib.sha256).digest()
    return f"{header}.{payload}.{encode(signature)}"`;

const PHP = `<?php
function encode(string $data): string
{
    return rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
}

/** A token for the visitor who is signed in. $secret: the widget's identity secret, wis_… */
function identity_token(string $secret, array $user): string
{
    $header = encode(json_encode(['alg' => 'HS256', 'typ' => 'JWT']));
    $payload = encode(json_encode([
        'sub' => $user['id'],
        'name' => $user['name'],
        'email' => $user['email'],
        'exp' => time() + 1800,
    ]));
    $key = base64_decode(substr($secret, strlen('wis_')));
    return "$header.$payload." . encode(hash_hmac('sha256', "$header.$payload", $key, true));
}`;

const RUBY = `require "base64"
require "json"
require "openssl"

def encode(data)
  Base64.urlsafe_encode64(data, padding: false)
end

# A token for the visitor who is signed in. secret: the widget's identity secret, wis_…
def identity_token(secret, user)
  header = encode({ alg: "HS256", typ: "JWT" }.to_json)
  payload = encode({
    sub: user["id"],
    name: user["name"],
    email: user["email"],
    exp: Time.now.to_i + 1800
  }.to_json)
  key = Base64.decode64(secret.delete_prefix("wis_"))
  "#{header}.#{payload}.#{encode(OpenSSL::HMAC.digest("SHA256", key, "#{header}.#{payload}"))}"
end`;

export const IDENTITY_SNIPPETS = [
  { name: "Node", code: NODE },
  { name: "Python", code: PYTHON },
  { name: "PHP", code: PHP },
  { name: "Ruby", code: RUBY },
] as const;
