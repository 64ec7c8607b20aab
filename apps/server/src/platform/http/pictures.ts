import type { FastifyReply } from 'fastify';
import type { App } from './app.ts';

/** Lets the routes of a feature take pictures of these types as they are, up to so many bytes. */
export function takePictures(app: App, types: readonly string[], bodyLimit: number): void {
  app.addContentTypeParser([...types], { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
}

/** Says how a picture is opened and kept: for good by default, where a changed one has another address. */
export function sayPicture(reply: FastifyReply, kept = 'max-age=31536000, immutable'): void {
  reply
    // Opened as a page it may do nothing.
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', `private, ${kept}`);
}
