import { useLayoutEffect, useRef } from 'preact/hooks'
import { type BrandMembers, defaultName, isLogoAlone } from '../../src/protocol/branding/brand.ts'
import { allTokens, initialOf } from '../../src/protocol/branding/looks.ts'
import type { ThemeName } from '../../src/protocol/contrast.ts'
import { Brand } from '../kit/layout.tsx'
import { texts } from '../texts.ts'
import { useLogoWidth } from './branding-logo.tsx'
import { SignInWays } from './sign-in-picture.tsx'
import { words } from './texts.ts'

/** The sign-in page with the brand as it is typed, in both themes. Nothing of it can be used, and nobody is read it out. */
export function Preview({ brand }: { brand: BrandMembers }) {
  const text = words().branding.preview
  return (
    <div class="previews">
      <h2>{text.heading}</h2>
      {(['light', 'dark'] as const).map((theme) => (
        <figure key={theme}>
          <figcaption>{text[theme]}</figcaption>
          <SignInPage brand={brand} theme={theme} />
        </figure>
      ))}
    </div>
  )
}

function SignInPage({ brand, theme }: { brand: BrandMembers; theme: ThemeName }) {
  const page = useRef<HTMLDivElement>(null)
  const name = brand.name ?? defaultName
  const own = theme === 'dark' ? brand.logo_dark : (brand.logo ?? brand.logo_dark)
  const src = own ?? brand.logo
  const width = useLogoWidth(src)
  const initial = initialOf(brand)

  useLayoutEffect(() => {
    // By script: the policy of the page allows no attribute for it.
    const style = page.current?.style
    for (const [token, value] of Object.entries(allTokens(brand, theme))) style?.setProperty(`--${token}`, value)
    style?.setProperty('color-scheme', theme)
  })

  const links = [
    [brand.support_url, texts.support],
    [brand.terms_url, texts.terms],
    [brand.privacy_url, texts.privacy],
    [brand.imprint_url, texts.imprint],
  ] as const
  return (
    <div ref={page} class={`brand-preview ${own === null && src !== null ? 'plated' : ''}`} inert aria-hidden="true">
      <div class="card">
        <Brand
          of={{
            name,
            ...(src !== null && { logo: { src, width: width ?? 32, ...(isLogoAlone(brand) && { alone: true }) } }),
            ...(initial !== undefined && { initial }),
          }}
        />
        <h1>{texts.signIn.title}</h1>
        <p class="lead">{texts.signIn.lead}</p>
        <SignInWays prefix={`${theme}-`} />
      </div>
      <p class="links">{links.map(([address, label]) => address && <span key={label}>{label}</span>)}</p>
    </div>
  )
}
