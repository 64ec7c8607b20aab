/** A panel as a table of dosages, −1 for a missing call: samples × markers. */
export interface PlainPanel {
  samples: string[];
  markers: { id: string; chromosome: string; positionBp: number }[];
  dosages: number[][];
}

/** Reads VCF text whose FORMAT begins with GT. */
export function plainPanel(vcf: string): PlainPanel {
  const lines = vcf.trimEnd().split('\n');
  const samples =
    lines
      .find((line) => line.startsWith('#CHROM'))
      ?.split('\t')
      .slice(9) ?? [];
  const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'));
  return {
    samples,
    markers: rows.map(([chromosome, position, id]) => ({ id, chromosome, positionBp: Number(position) })),
    dosages: samples.map((_, i) =>
      rows.map((row) => {
        const alleles = row[9 + i].split(':')[0].split(/[/|]/);
        return alleles.includes('.') ? -1 : alleles.filter((allele) => allele === '1').length;
      }),
    ),
  };
}

/** Figures of each marker, by definition. */
export function plainMarkers({ dosages }: PlainPanel): {
  called: number;
  heterozygotes: number;
  frequencyA2: number;
}[] {
  return dosages[0].map((_, j) => {
    const calls = dosages.flatMap((row) => (row[j] < 0 ? [] : [row[j]]));
    return {
      called: calls.length,
      heterozygotes: calls.filter((dosage) => dosage === 1).length,
      frequencyA2: calls.reduce((sum, dosage) => sum + dosage, 0) / (2 * calls.length),
    };
  });
}

/** F by the method of moments, over the polymorphic markers called in the individual. */
export function plainInbreeding(panel: PlainPanel): number[] {
  const markers = plainMarkers(panel);
  return panel.dosages.map((row) => {
    let observed = 0;
    let expected = 0;
    let called = 0;
    for (const [j, { frequencyA2: p }] of markers.entries()) {
      if (row[j] < 0 || p === 0 || p === 1) continue;
      called++;
      if (row[j] !== 1) observed++;
      expected += p * p + (1 - p) * (1 - p);
    }
    return (observed - expected) / (called - expected);
  });
}

/** K = ZZᵀ/(m − 1) of the markers with MAF ≥ 0.05 and call rate ≥ 0.9, by definition. */
export function plainKinship(panel: PlainPanel): number[][] {
  const n = panel.samples.length;
  const kept = plainMarkers(panel).map(
    ({ called, frequencyA2: p }) => called / n >= 0.9 - 1e-12 && Math.min(p, 1 - p) >= 0.05 - 1e-12,
  );
  const frequencies = plainMarkers(panel).map(({ frequencyA2 }) => frequencyA2);
  const z = panel.dosages.map((row) =>
    Float64Array.from(
      row.flatMap((dosage, j) => {
        const p = frequencies[j];
        if (!kept[j]) return [];
        return [dosage < 0 ? 0 : (dosage - 2 * p) / Math.sqrt(2 * p * (1 - p))];
      }),
    ),
  );
  const m = z[0].length;
  return z.map((a) =>
    z.map((b) => {
      let sum = 0;
      for (let j = 0; j < m; j++) sum += a[j] * b[j];
      return sum / (m - 1);
    }),
  );
}
