// What ESLint looks for in the page's JavaScript: `make check`. Prettier sees to its form.

import js from "@eslint/js";
import globals from "globals";

const PAGE = "nought/server/static";
const SITE = "nought/export/site"; // that `nought export --format web` makes

export default [
  js.configs.recommended,
  {
    files: [`${PAGE}/**/*.js`, `${SITE}/**/*.js`],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "arrow-body-style": "error",
      eqeqeq: ["error", "always", { null: "ignore" }], // `== null` is also undefined
      "no-console": ["error", { allow: ["error"] }],
      "no-duplicate-imports": "error",
      "no-else-return": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-useless-rename": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    files: [`${PAGE}/sw.js`, `${SITE}/sw.js`],
    languageOptions: { sourceType: "script", globals: globals.serviceworker },
  },
  {
    files: [`${PAGE}/js/theme-first.js`],
    languageOptions: { sourceType: "script" },
  },
];
