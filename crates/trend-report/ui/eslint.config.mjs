import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'tests/out/**'] },
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'Names are hostile: make text nodes.' },
        { property: 'outerHTML', message: 'Names are hostile: make text nodes.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: 'Names are hostile.' },
      ],
      'no-eval': 'error',
      eqeqeq: 'error',
    },
  },
);
