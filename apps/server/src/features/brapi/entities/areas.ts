import * as z from 'zod';

/** A polygon of GeoJSON (RFC 7946): rings of longitude and latitude, the first around it, the others around holes. */
export type Area = [longitude: number, latitude: number][][];

const position = z
  .tuple([z.number(), z.number()])
  .rest(z.number())
  .transform(([longitude, latitude]): [number, number] => [longitude, latitude]);

const area = z.object({
  geometry: z.object({
    type: z.literal('Polygon'),
    coordinates: z.array(z.array(position).min(4).max(10_000)).min(1).max(100),
  }),
});

/** The area of the text of a GeoJSON object; undefined when it is no polygon. */
export function areaOf(text: string): Area | undefined {
  try {
    return area.safeParse(JSON.parse(text)).data?.geometry.coordinates;
  } catch {
    return undefined;
  }
}

/** Whether a place lies in an area: a line from it to the west crosses the rings an odd number of times. */
export function isWithin(rings: Area, { longitude, latitude }: { longitude: number; latitude: number }): boolean {
  let crossings = 0;
  for (const ring of rings)
    for (const [k, [x, y]] of ring.entries()) {
      const [nextX, nextY] = ring[(k + 1) % ring.length] ?? [x, y];
      if (y > latitude === nextY > latitude) continue;
      if (x + ((latitude - y) / (nextY - y)) * (nextX - x) < longitude) crossings++;
    }
  return crossings % 2 === 1;
}
