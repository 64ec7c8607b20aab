import { type Crumb, Page } from './page.tsx';

/** A page that the navigation leads to and this version does not have yet. */
export function NotInThisVersion({ title, text, crumbs }: { title: string; text: string; crumbs: Crumb[] }) {
  return (
    <Page title={title} crumbs={crumbs} width="text">
      <p>{text}</p>
    </Page>
  );
}
