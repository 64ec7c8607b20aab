/** What the second factor uses of otpauth (RFC 6238), also where its own types are not installed yet. */
declare module 'otpauth' {
  export class Secret {
    constructor(options: { size?: number; buffer?: ArrayBufferLike });
    readonly base32: string;
    static fromBase32(text: string): Secret;
  }
  export class TOTP {
    constructor(options: {
      issuer?: string;
      label?: string;
      secret: Secret;
      algorithm?: string;
      digits?: number;
      period?: number;
    });
    counter(options?: { timestamp?: number }): number;
    generate(options?: { timestamp?: number }): string;
    validate(options: { token: string; timestamp?: number; window?: number }): number | null;
    toString(): string;
  }
}
