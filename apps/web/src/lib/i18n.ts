import i18next, { type i18n as I18n } from 'i18next';
import HttpBackend from 'i18next-http-backend';
import { initReactI18next } from 'react-i18next';
import type common from '../../public/locales/en/common.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: { common: typeof common };
  }
}

/** English only, one namespace; the backend retries 5 times from 350 ms, doubling (its defaults). */
export async function loadTranslations(): Promise<I18n> {
  await i18next
    .use(HttpBackend)
    .use(initReactI18next)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      supportedLngs: ['en'],
      ns: ['common'],
      defaultNS: 'common',
      backend: { loadPath: '/locales/{{lng}}/{{ns}}.json' },
      // React escapes.
      interpolation: { escapeValue: false, maxReplaces: 1000 },
      react: { useSuspense: false },
    });
  return i18next;
}
