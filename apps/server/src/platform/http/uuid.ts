const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether text from an address can be an id; other text would be an error of the database instead of a 404. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
