export { FavouriteButton } from './favourite-button.tsx';
export { homeQuery } from './home.api.ts';
export { ItemPage } from './item-page.tsx';
export { BesideLeftOff } from './left-off.tsx';
export { ProjectCards } from './project-cards.tsx';
export { useVisit } from './use-visit.ts';
