/** Pixels on a side of a photo as it is kept; shown at up to half of it. */
const SIDE = 256;
const QUALITY = 0.9;

/**
 * The middle of an image as a small JPEG. Redrawing it also leaves behind what cameras write beside the picture,
 * such as the place. Throws when the browser cannot read the file as an image.
 */
export async function squarePhoto(file: Blob): Promise<Blob> {
  const image = await createImageBitmap(file);
  try {
    const canvas = document.createElement('canvas');
    canvas.width = SIDE;
    canvas.height = SIDE;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('The browser draws no images');
    context.fillStyle = 'white';
    context.fillRect(0, 0, SIDE, SIDE);
    const side = Math.min(image.width, image.height);
    const [left, top] = [(image.width - side) / 2, (image.height - side) / 2];
    context.drawImage(image, left, top, side, side, 0, 0, SIDE, SIDE);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    if (blob === null) throw new Error('The browser writes no JPEG');
    return blob;
  } finally {
    image.close();
  }
}
