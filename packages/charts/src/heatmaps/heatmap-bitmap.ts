/** Colours of a heat map from its smallest to its largest value, as `#rrggbb`, at equal distances. */
export type ColorScale = readonly string[];

const CHANNELS = 4;
const OPAQUE = 255;

const channelsOf = (color: string): [number, number, number] => {
  const number = Number.parseInt(color.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
};

/** One pixel for each cell, row-major RGBA: transparent without a value, beyond the ends the colour of the end. */
export function heatmapPixels(
  values: readonly (number | null)[],
  { min, max, scale }: { min: number; max: number; scale: ColorScale },
): Uint8ClampedArray<ArrayBuffer> {
  const stops = scale.map(channelsOf);
  const pixels = new Uint8ClampedArray(values.length * CHANNELS);
  for (let cell = 0; cell < values.length; cell++) {
    const value = values[cell];
    if (value === null || value === undefined) continue;
    const place = max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) * (stops.length - 1) : 0;
    const below = Math.min(stops.length - 2, Math.floor(place));
    for (let channel = 0; channel < CHANNELS - 1; channel++) {
      const [from = 0, to = from] = [stops[below]?.[channel], stops[below + 1]?.[channel]];
      pixels[cell * CHANNELS + channel] = from + (to - from) * (place - below);
    }
    pixels[cell * CHANNELS + CHANNELS - 1] = OPAQUE;
  }
  return pixels;
}

/** At least as many pixels along the longer side: a picture that is drawn larger than it is would be blurred. */
const LEAST_SIDE_PX = 1200;

/** The pixels as a picture in which every cell is a square with sharp edges. */
export function heatmapPicture(
  pixels: Uint8ClampedArray<ArrayBuffer>,
  columns: number,
  rows: number,
): HTMLCanvasElement {
  const small = document.createElement('canvas');
  small.width = columns;
  small.height = rows;
  small.getContext('2d')?.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  const factor = Math.max(1, Math.ceil(LEAST_SIDE_PX / Math.max(columns, rows)));
  const large = document.createElement('canvas');
  large.width = columns * factor;
  large.height = rows * factor;
  const context = large.getContext('2d');
  if (context) {
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, large.width, large.height);
  }
  return large;
}
