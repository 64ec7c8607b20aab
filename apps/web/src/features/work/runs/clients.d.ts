declare module 'virtual:clients' {
  /** Text of the client for scripts. */
  const clients: { python: string; r: string };
  export default clients;
}
