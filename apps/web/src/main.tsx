import './styles/mantine.ts';
import './styles/font.css';
import './styles/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { markPartsNotLoaded } from './lib/browser/page-parts.ts';
import { loadTranslations, type TextsFailure, textsFailure } from './lib/format/i18n.ts';
import { watchAddressToken } from './lib/session/address-token.ts';
import { session } from './lib/session/browser-session.ts';

// Compiled schemas need `new Function`, which the content security policy refuses. This is zod's own place for
// settings; its code comes later than this file.
(globalThis as { __zod_globalConfig?: object }).__zod_globalConfig = { jitless: true };

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element #root');
const root = createRoot(container);

const TRY_AGAIN_MS = 3_000;

watchAddressToken();
markPartsNotLoaded();
void start();

/** The one text that cannot come from the file of texts. */
function bootText(failure: TextsFailure): string {
  if (failure.is === 'silent')
    return 'The server could not be reached. This page goes on by itself as soon as it answers.';
  const what = failure.is === 'broken' ? 'a file that cannot be read' : `an error (status ${failure.status})`;
  return `The server answered, but with ${what} in place of the texts of this page. The page tries again by itself; if this stays, tell the operator.`;
}

async function start(): Promise<void> {
  const starting = session.start();
  const translations = await loadTranslations();
  while (!translations.hasResourceBundle('en', 'common')) {
    root.render(
      <p className="hx-boot" role="alert">
        {bootText(textsFailure())}
      </p>,
    );
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    await translations.reloadResources(['en'], ['common']);
  }
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  await starting;
}
