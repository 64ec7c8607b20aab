import { LOGO_BYTES } from '@heterosis/contracts/people/organizations';

/** Pixels of the longer side, the first that fits: sharp in print at the size that reports have. */
const SIDES = [600, 400, 250];
const QUALITY = 0.9;

/**
 * A picture as a logo: small, and redrawn, so that what programs write beside the picture is left behind. What may be
 * transparent stays a PNG. Throws when the browser cannot read the file as an image.
 */
export async function logoPicture(file: Blob): Promise<Blob> {
  const image = await createImageBitmap(file);
  try {
    const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png';
    for (const side of SIDES) {
      const scale = Math.min(1, side / Math.max(image.width, image.height));
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.round(image.width * scale));
      canvas.height = Math.max(1, Math.round(image.height * scale));
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('The browser draws no images');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
      if (blob === null) throw new Error('The browser writes no images');
      if (blob.size <= LOGO_BYTES) return blob;
    }
    throw new Error('The picture does not become small enough');
  } finally {
    image.close();
  }
}
