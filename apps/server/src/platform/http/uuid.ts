const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether text from an address can be an id. Other text would cause a database error instead of a 404. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
