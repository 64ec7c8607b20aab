const KEY = 'heterosis.pending-email';

/** The address typed on the home page, for the dialogs that speak of it. It does not belong in the page address. */
export function rememberEmail(email: string): void {
  sessionStorage.setItem(KEY, email);
}

export function rememberedEmail(): string {
  return sessionStorage.getItem(KEY) ?? '';
}
