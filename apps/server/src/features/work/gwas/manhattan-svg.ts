import { escapeMarkup } from '../../../platform/http/document/escape-markup.ts';

const WIDTH = 1200;
const HEIGHT = 420;
const MARGIN = { left: 56, right: 16, top: 36, bottom: 52 };
/** Okabe & Ito (2008) blue, and a grey. */
const TONES = ['#0072B2', '#6f6f6c'];
const THRESHOLD = '#D55E00';
const GAP_SHARE = 0.02;
/** Approximate width of a letter at 12 px. */
const CHARACTER_WIDTH = 7;
const MOST_TICKS = 7;

/** Manhattan plot as a self-contained SVG, with the points shown on the page. */
export function manhattanSvg(
  points: Float32Array,
  chromosomes: readonly string[],
  { title, bonferroni, fdr, lambda }: { title: string; bonferroni: number; fdr: number | null; lambda: number },
): string {
  const lengths = chromosomes.map(() => 1);
  let largest = -Math.log10(bonferroni) + 0.5;
  for (let at = 0; at + 2 < points.length; at += 3) {
    const chromosome = points[at] ?? 0;
    lengths[chromosome] = Math.max(lengths[chromosome] ?? 1, points[at + 1] ?? 0);
    largest = Math.max(largest, points[at + 2] ?? 0);
  }
  const gap = lengths.reduce((longest, length) => Math.max(longest, length), 1) * GAP_SHARE;
  const offsets: number[] = [];
  let total = 0;
  for (const length of lengths) {
    offsets.push(total);
    total += length + gap;
  }
  const top = Math.ceil(largest * 1.05);
  const x = (value: number): number =>
    MARGIN.left + (value / Math.max(1, total - gap)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number): number => HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);

  const dots = [0, 1].map((tone) => {
    const path: string[] = [];
    for (let at = 0; at + 2 < points.length; at += 3) {
      const chromosome = points[at] ?? 0;
      if (chromosome % 2 !== tone) continue;
      path.push(
        `M${x((offsets[chromosome] ?? 0) + (points[at + 1] ?? 0)).toFixed(1)} ${y(points[at + 2] ?? 0).toFixed(1)}h0`,
      );
    }
    return `<path d="${path.join('')}" stroke="${TONES[tone]}" stroke-width="3.4" stroke-linecap="round" fill="none"/>`;
  });
  const names: string[] = [];
  let free = 0;
  for (const [index, name] of chromosomes.entries()) {
    const middle = x((offsets[index] ?? 0) + (lengths[index] ?? 0) / 2);
    const half = (name.length * CHARACTER_WIDTH) / 2;
    // With many contigs only those with enough room are labelled.
    if (middle - half < free) continue;
    free = middle + half + CHARACTER_WIDTH;
    names.push(
      `<text x="${middle.toFixed(1)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${escapeMarkup(name)}</text>`,
    );
  }
  const step = roundStep(top);
  const ticks: string[] = [];
  for (let value = 0; value <= top; value += step)
    ticks.push(
      `<path d="M${MARGIN.left} ${y(value).toFixed(1)}H${WIDTH - MARGIN.right}" stroke="#dededc"/><text x="${MARGIN.left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${mark(value)}</text>`,
    );
  const line = (p: number, label: string, dash: string): string =>
    `<path d="M${MARGIN.left} ${y(-Math.log10(p)).toFixed(1)}H${WIDTH - MARGIN.right}" stroke="${THRESHOLD}" stroke-dasharray="${dash}"/><text x="${WIDTH - MARGIN.right}" y="${(y(-Math.log10(p)) - 4).toFixed(1)}" text-anchor="end">${label}</text>`;

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#1d1d1c">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<text x="${MARGIN.left}" y="20" font-size="14" font-weight="600">${escapeMarkup(title)}, λ = ${lambda.toFixed(3)}</text>
${ticks.join('')}${dots.join('')}${names.join('')}
${line(bonferroni, 'Bonferroni 5 %', '6 4')}${fdr === null ? '' : line(fdr, 'FDR 5 %', '2 3')}
<text x="${(WIDTH + MARGIN.left) / 2}" y="${HEIGHT - 12}" text-anchor="middle">Chromosome</text>
<text transform="translate(16 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">−log₁₀ p</text>
</svg>
`;
}

/**
 * 1, 2 or 5 times a power of ten, and at least 1: a trait identical to its marker has −log₁₀ p in the billions.
 */
function roundStep(top: number): number {
  const rough = top / MOST_TICKS;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  return power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
}

const mark = (value: number): string => (value < 1e5 ? String(value) : value.toExponential());
