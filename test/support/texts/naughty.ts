/** Texts that break readers of reports: controls, ends of blocks, commands of CI systems, halves of characters. */
export const naughtyTexts: readonly string[] = [
  'plain',
  '\u0000\u0001\u0008\u000b\u000c\u001b[31mred\u001b[0m\u007f\u009b',
  ']]> <![CDATA[ --> <!-- ',
  '::error file=a,line=1::owned\n::set-output name=x::y',
  '  ::add-mask::secret\n##[command]rm\n##vso[task.setvariable variable=x]y\n##teamcity[x]',
  '\ud800 lone \udfff \ufffe\uffff',
  '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&amp;',
  '```\n# heading\n````\n| a | b |\n[x](javascript:alert(1)) @everyone `code`',
  '\r\n\r\n\t\u2028\u2029\u0085',
  '\u202e\u2066bidi\u2069 zero\u200bwidth \u{e0001}\u{e0041}tags',
  '%0A%0D%25\'"$(touch x)`id`; rm -rf / #',
  '{"__proto__":{"x":1}} ${id} ${{ secrets.TOKEN }}',
  '\u{1f469}\u200d\u{1f467} \uff46\uff55\uff4c\uff4c e\u0301 \u0645\u0631\u062d\u0628\u0627',
];
