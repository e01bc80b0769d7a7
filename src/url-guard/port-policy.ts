/** Which schemes and ports a new or changed webhook may use. */
export interface PortPolicy {
  httpsOnly: boolean;
  /** Ports or ranges; null: every port but those of other well-known services. */
  allowed: readonly PortRange[] | null;
}

interface PortRange {
  from: number;
  to: number;
}

/**
 * Ports of services that speak another protocol and could misread an HTTP request as commands, or that have no business
 * with a webhook: remote shells, mail, DNS, directories, file shares, databases, caches, queues, container engines.
 */
const REFUSED_PORTS = new Set([
  20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123,
  135, 137, 138, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556,
  563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306,
  3389, 3659, 4045, 4369, 5060, 5061, 5432, 5672, 5900, 5984, 6000, 6379, 6380, 6432, 6443, 6566, 6665, 6666, 6667,
  6668, 6669, 6697, 8086, 9042, 9092, 9160, 9200, 9300, 10080, 10250, 11211, 15672, 26257, 27017, 27018, 27019,
]);

export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

/** What is wrong with the scheme or port of a URL; null: nothing. */
export function checkPort(url: URL, { httpsOnly, allowed }: PortPolicy): string | null {
  if (httpsOnly && url.protocol !== "https:") return "The url must start with https://.";
  const port = portOf(url);
  const fits = allowed ? allowed.some(({ from, to }) => port >= from && port <= to) : !REFUSED_PORTS.has(port);
  return fits ? null : `The url must not use port ${port}.`;
}
