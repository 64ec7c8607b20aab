import { MAX_THUMBNAIL_BYTES, THUMBNAIL_SIDE } from '@heterosis/contracts/data/photos';

/** Longer side of a photo as it is kept, in pixels: a leaf of a plot can still be enlarged. */
const LONGEST_SIDE = 2_560;
/** A file of at most so many bytes and pixels is sent as it is. */
const SMALL_BYTES = 1_500_000;
const QUALITY = 0.85;
const THUMBNAIL_QUALITY = 0.75;

/** What is sent of a chosen file. */
export interface ShrunkPhoto {
  photo: Blob;
  /** Absent where the browser could not read the file as a picture; the server then decides about it. */
  thumbnail?: Blob;
}

/**
 * A photo of at most 2,560 pixels, upright, and its small picture. Redrawing it also leaves behind what cameras write
 * beside the picture, such as the place.
 */
export async function shrinkPhoto(file: Blob): Promise<ShrunkPhoto> {
  let image: ImageBitmap;
  try {
    image = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return { photo: file };
  }
  try {
    const isSmall = file.size <= SMALL_BYTES && Math.max(image.width, image.height) <= LONGEST_SIDE;
    const thumbnail = await drawn(image, THUMBNAIL_SIDE, THUMBNAIL_QUALITY);
    return {
      photo: isSmall ? file : await drawn(image, LONGEST_SIDE, QUALITY),
      ...(thumbnail.size <= MAX_THUMBNAIL_BYTES && { thumbnail }),
    };
  } finally {
    image.close();
  }
}

async function drawn(image: ImageBitmap, side: number, quality: number): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser draws no images');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  if (blob === null) throw new Error('The browser writes no JPEG');
  return blob;
}
