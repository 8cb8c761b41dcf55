export function isUrl(value: string, protocol: RegExp): boolean {
  const url = URL.parse(value)
  return url !== null && protocol.test(url.protocol) && url.hostname !== ''
}

/** Whether an address is that of an EventStoreDB, or of KurrentDB, its new name. It may name several hosts. */
export function isEventStoreUrl(value: string): boolean {
  return /^(esdb|kurrentdb)(\+discover)?:\/\/\S+$/.test(value)
}
