/**
 * Natural order of chromosome names: runs of digits compare as numbers, so 1, 2, 10 and 1A, 1B, 2A; names that begin
 * with a number come before others; a leading `chr` or `chromosome` does not count. Equal but for that prefix: by the
 * whole name.
 */
export function compareChromosomes(left: string, right: string): number {
  const a = tokens(left);
  const b = tokens(right);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const x = a[i];
    const y = b[i];
    if (typeof x === 'number' && typeof y === 'number') {
      if (x !== y) return x - y;
    } else if (typeof x !== typeof y) {
      return typeof x === 'number' ? -1 : 1;
    } else if (x !== y) {
      return x < y ? -1 : 1;
    }
  }
  if (a.length !== b.length) return a.length - b.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

function tokens(name: string): (number | string)[] {
  const bare = name.replace(/^(?:chromosome|chrom|chr)[ _.-]?/i, '');
  return [...bare.toUpperCase().matchAll(/\d+|\D+/g)].map(([token]) => (/^\d/.test(token) ? Number(token) : token));
}
