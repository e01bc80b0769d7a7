import type { Config } from "../config/index.ts";
import { checkEgressProxy, egressProxyOf } from "../url-guard/index.ts";

/** Connects, and asks for nothing. Nothing of the credentials is printed. */
export async function inspectEgressProxy(config: Config): Promise<{ what: string; toDo?: string }[]> {
  if (config.PARLEY_EGRESS_PROXY === null) return [];
  const proxy = egressProxyOf(config.PARLEY_EGRESS_PROXY);
  const problem = await checkEgressProxy(proxy);
  if (problem === null) return [{ what: `The egress proxy ${proxy.name} accepts connections` }];
  const what = `The egress proxy ${proxy.name} cannot be reached: ${problem}`;
  return [{ what, toDo: "Check that it runs and that PARLEY_EGRESS_PROXY is right; webhooks wait until then." }];
}
