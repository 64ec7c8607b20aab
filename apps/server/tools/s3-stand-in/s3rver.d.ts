/** What the tests use of the S3 server; the package has no types. */
declare module '@20minutes/s3rver' {
  export interface S3rverOptions {
    address: string;
    port: number;
    silent: boolean;
    directory: string;
    allowMismatchedSignatures?: boolean;
    configureBuckets: { name: string; configs: string[] }[];
  }
  export default class S3rver {
    constructor(options: S3rverOptions);
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
