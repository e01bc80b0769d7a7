import type { SessionPolicy } from "../accounts/sessions.ts";
import type { Config } from "../config/index.ts";

export const sessionPolicyOf = (config: Config): SessionPolicy => ({
  requireTwoFactor: config.PARLEY_REQUIRE_TWO_FACTOR,
  ssoOnly: config.PARLEY_OIDC_ONLY,
});

export const fileLimitsOf = (config: Config) => ({
  fileBytesMax: config.PARLEY_FILE_BYTES_MAX,
  workspaceBytesMax: config.PARLEY_FILE_BYTES_PER_WORKSPACE_MAX,
});
