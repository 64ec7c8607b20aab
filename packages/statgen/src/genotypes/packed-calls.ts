import { StatgenError } from '../statgen-error.ts';

/**
 * The individuals of packed calls to analyse. Packed calls are those of a PLINK 1 `.bed`, one marker after another:
 * ceil(panelSize / 4) bytes per marker, two bits per call from the lowest bits up, 00 = two copies of A1, 01 =
 * missing, 10 = heterozygous, 11 = two copies of A2. Dosage counts A2.
 */
export interface PanelSelection {
  /** Individuals in the packed data. */
  panelSize: number;
  /** 0-based panel positions to analyse, in the desired order; all when absent. */
  individuals?: Int32Array;
}

/** Bytes per marker in packed calls. */
export function bytesPerMarker(panelSize: number): number {
  return (panelSize + 3) >> 2;
}

/** Individuals analysed. */
export function selectionSize(selection: PanelSelection): number {
  return selection.individuals?.length ?? selection.panelSize;
}

/** @throws StatgenError `shape-mismatch` */
export function requirePacked(packed: Uint8Array, count: number, selection: PanelSelection): void {
  const expected = count * bytesPerMarker(selection.panelSize);
  if (packed.length < expected) {
    throw new StatgenError(
      'shape-mismatch',
      `${count} markers of ${selection.panelSize} individuals take ${expected} bytes, not ${packed.length}`,
    );
  }
  for (const individual of selection.individuals ?? []) {
    if (!(individual >= 0 && individual < selection.panelSize)) {
      throw new StatgenError('shape-mismatch', `individual ${individual} is not one of ${selection.panelSize}`);
    }
  }
}
