/** A whole number with thousands separators: `2,277`. (`toLocaleString` takes 20 ms to load its locale tables.) */
export function groupedNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
