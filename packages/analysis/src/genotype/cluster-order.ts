/**
 * Leaf order of an average-linkage tree (UPGMA), which places related individuals side by side in a heat map.
 * Distances are K_ii + K_jj − 2K_ij. Nearest-neighbour chain (Murtagh 1983, Comput J 26:354): O(n²) time and memory.
 *
 * @param kinship n × n, symmetric
 * @returns the individuals 0 … n−1 in leaf order
 */
export function clusterOrder(kinship: Float64Array, n: number): number[] {
  if (n === 0) return [];
  const distance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) distance[i * n + j] = kinship[i * n + i] + kinship[j * n + j] - 2 * kinship[i * n + j];
  }
  const leaves: number[][] = Array.from({ length: n }, (_, i) => [i]);
  const isActive = new Uint8Array(n).fill(1);
  const chain: number[] = [];
  for (let merges = 0; merges < n - 1; ) {
    if (chain.length === 0) chain.push(isActive.indexOf(1));
    const top = chain[chain.length - 1];
    const previous = chain.length > 1 ? chain[chain.length - 2] : -1;
    // Ties go to the previous link; otherwise the chain could loop.
    let nearest = previous;
    let shortest = previous >= 0 ? distance[top * n + previous] : Number.POSITIVE_INFINITY;
    for (let k = 0; k < n; k++) {
      if (k === top || isActive[k] === 0 || !(distance[top * n + k] < shortest)) continue;
      nearest = k;
      shortest = distance[top * n + k];
    }
    if (nearest !== previous || previous < 0) {
      chain.push(nearest);
      continue;
    }
    chain.length -= 2;
    mergeClusters(distance, n, leaves, isActive, previous, top);
    merges++;
  }
  return leaves[isActive.indexOf(1)];
}

/** Merges cluster `b` into cluster `a`; distances to the others become averages over the members. */
function mergeClusters(
  distance: Float64Array,
  n: number,
  leaves: number[][],
  isActive: Uint8Array,
  a: number,
  b: number,
): void {
  const [sizeA, sizeB] = [leaves[a].length, leaves[b].length];
  for (let k = 0; k < n; k++) {
    if (isActive[k] === 0 || k === a || k === b) continue;
    const average = (sizeA * distance[a * n + k] + sizeB * distance[b * n + k]) / (sizeA + sizeB);
    distance[a * n + k] = average;
    distance[k * n + a] = average;
  }
  leaves[a] = joinNearEnds(leaves[a], leaves[b]);
  isActive[b] = 0;
}

/** The part with the smaller first index comes first, so that the result does not depend on the order of merges. */
function joinNearEnds(left: number[], right: number[]): number[] {
  return left[0] <= right[0] ? [...left, ...right] : [...right, ...left];
}
