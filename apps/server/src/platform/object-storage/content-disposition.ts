/**
 * Content-Disposition with a user-given name: plain ASCII for old clients, the full name by RFC 6266 / RFC 8187.
 * Slashes are replaced: our names may contain them, and not every client refuses to follow `../`.
 */
export function contentDisposition(fileName: string, inline = false): string {
  const kind = inline ? 'inline' : 'attachment';
  const flat = fileName.replaceAll(/[/\\]/g, '_');
  const ascii = flat.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(flat).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
