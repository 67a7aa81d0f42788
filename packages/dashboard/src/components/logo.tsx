export const Logo = () => (
  <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
    <img src="/assets/icon.svg" alt="" width={26} height={26} />
    Restwell
  </span>
)
