export { ModelField } from './model-picker.tsx';
export { modelQuery } from './models.api.ts';
