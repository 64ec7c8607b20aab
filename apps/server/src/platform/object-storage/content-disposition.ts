/**
 * Header for saving under a name of the user's: plain ASCII for old clients, the real one by RFC 6266 / RFC 8187. Without slashes:
 * names of ours may hold them, and not every program that saves takes care not to follow `../`.
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
