// Ports of services that are no receivers of messages: a request there may be read as commands.

/** Mail, shells and files, directories, databases, queues and Docker, at their usual ports. */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  ...[25, 110, 143, 465, 587, 993, 995, 2525],
  ...[20, 21, 22, 23, 69, 111, 135, 139, 389, 445, 513, 514, 515, 548, 636, 873, 2049],
  ...[1433, 1521, 3306, 5432, 5984, 6379, 9042, 9200, 9300, 11_211, 27_017],
  ...[1883, 2375, 2376, 5672],
])

export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === "http:" ? "80" : "443"))

/** True if a port belongs to another service than a receiver of messages. */
export const isServicePort = (port: number): boolean => SERVICE_PORTS.has(port)
