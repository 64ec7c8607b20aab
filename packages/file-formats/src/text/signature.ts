/** Names a well-known binary format from its first bytes; null for anything else. */
export function binarySignature(head: Uint8Array): string | null {
  const starts = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte);
  if (starts(0x50, 0x4b, 3, 4) || starts(0x50, 0x4b, 5, 6)) return 'a zip archive or an Excel workbook';
  if (starts(0x6c, 0x1b)) return head.length > 2 && (head[2] ?? 0) > 1 ? 'a PLINK .pgen file' : 'a PLINK .bed file';
  if (starts(0x25, 0x50, 0x44, 0x46)) return 'a PDF document';
  if (starts(0x89, 0x50, 0x4e, 0x47) || starts(0xff, 0xd8, 0xff) || starts(0x47, 0x49, 0x46, 0x38)) return 'an image';
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) return 'an old Excel or Word file (.xls, .doc)';
  if (starts(0x37, 0x7a, 0xbc, 0xaf)) return 'a 7-Zip archive';
  if (starts(0x52, 0x61, 0x72, 0x21)) return 'a RAR archive';
  if (starts(0x42, 0x5a, 0x68)) return 'a bzip2 archive';
  if (starts(0xfd, 0x37, 0x7a, 0x58, 0x5a)) return 'an xz archive';
  if (starts(0x28, 0xb5, 0x2f, 0xfd)) return 'a zstd archive';
  if (starts(0x42, 0x43, 0x46)) return 'a BCF file (binary VCF)';
  return null;
}
