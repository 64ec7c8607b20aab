export { cropsQuery, useCreateCrop } from './crops.api.ts';
