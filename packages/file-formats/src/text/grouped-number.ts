/** A whole number with commas between its thousands, as messages show it: `2,277`. (`toLocaleString` loads tables for 20 ms.) */
export function groupedNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
