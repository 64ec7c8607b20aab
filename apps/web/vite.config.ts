import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The API server that `vite dev` passes requests on to. */
const apiOrigin = process.env.HETEROSIS_API ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: './src/routes',
      generatedRouteTree: './src/routeTree.gen.ts',
      autoCodeSplitting: true,
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Nothing may be inlined as a data: address, which the content security policy refuses for fonts and scripts.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: Object.fromEntries(['/api', '/storage'].map((path) => [path, { target: apiOrigin, changeOrigin: false }])),
  },
});
