import i18next, { type BackendModule, type i18n as I18n, type ResourceKey } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type common from '../../../public/locales/en/common.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: { common: typeof common };
  }
}

/** Why the texts are not there: no answer, or one that is no text. */
export type TextsFailure = { is: 'silent' } | { is: 'refused'; status: number } | { is: 'broken' };

let failure: TextsFailure = { is: 'silent' };

/** Of the last try. */
export const textsFailure = (): TextsFailure => failure;

/** A failure of the texts; i18next asks again, 5 times from 350 ms, doubling, for those that may pass. */
class TextsError extends Error {
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean, cause?: unknown) {
    super(message, { cause });
    this.mayPass = mayPass;
  }
}

/** Fetches the texts of a language. What the server refuses (4xx), and what is no JSON, is not worth another try. */
async function fetchTexts(language: string, namespace: string): Promise<ResourceKey> {
  const url = `/locales/${language}/${namespace}.json`;
  const answer = await fetch(url).catch((cause: unknown) => {
    failure = { is: 'silent' };
    throw new TextsError(`failed loading ${url}`, true, cause);
  });
  if (!answer.ok) {
    failure = { is: 'refused', status: answer.status };
    const isRefused = answer.status >= 400 && answer.status < 500;
    throw new TextsError(`failed loading ${url}; status code: ${answer.status}`, !isRefused);
  }
  return await answer.json().catch((cause: unknown) => {
    failure = { is: 'broken' };
    throw new TextsError(`failed parsing ${url} to json`, false, cause);
  });
}

const fetching: BackendModule = {
  type: 'backend',
  callbackApi: true,
  init() {},
  async read(language, namespace, callback) {
    try {
      callback(null, await fetchTexts(language, namespace));
    } catch (error) {
      callback(error as Error, error instanceof TextsError && error.mayPass);
    }
  },
};

/** English only, one namespace. */
export async function loadTranslations(): Promise<I18n> {
  await i18next
    .use(fetching)
    .use(initReactI18next)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      supportedLngs: ['en'],
      ns: ['common'],
      defaultNS: 'common',
      // React escapes.
      interpolation: { escapeValue: false, maxReplaces: 1000 },
      react: { useSuspense: false },
    });
  return i18next;
}
