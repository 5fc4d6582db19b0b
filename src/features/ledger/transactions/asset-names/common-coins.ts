/** Common coins and tokens: the symbol, then the name. Written from general knowledge as of 2026, without a provider. */
export const commonCoins = `
1INCH 1inch
AAVE Aave
ACH Alchemy Pay
ADA Cardano
AERO Aerodrome Finance
AGIX SingularityNET
AKT Akash Network
ALGO Algorand
ALICE My Neighbor Alice
AMP Amp
ANKR Ankr
ANT Aragon
APE ApeCoin
API3 API3
APT Aptos
AR Arweave
ARB Arbitrum
ARDR Ardor
ARK Ark
ASTR Astar
ATOM Cosmos
AUDIO Audius
AVAX Avalanche
AXL Axelar
AXS Axie Infinity
BAL Balancer
BAND Band Protocol
BAT Basic Attention Token
BCH Bitcoin Cash
BICO Biconomy
BLUR Blur
BNB BNB
BNT Bancor
BONK Bonk
BSV Bitcoin SV
BTC Bitcoin
BTG Bitcoin Gold
BTRST Braintrust
BTT BitTorrent
BUSD Binance USD
CAKE PancakeSwap
CELO Celo
CELR Celer Network
CFX Conflux
CHZ Chiliz
CKB Nervos Network
COMP Compound
CRO Cronos
CRV Curve
CTSI Cartesi
CVC Civic
CVX Convex Finance
DAI Dai
DASH Dash
DCR Decred
DGB DigiByte
DNT district0x
DOGE Dogecoin
DOT Polkadot
DYDX dYdX
EGLD MultiversX
ENA Ethena
ENJ Enjin Coin
ENS Ethereum Name Service
EOS EOS
ETC Ethereum Classic
ETH Ethereum
ETHW EthereumPoW
FARTCOIN Fartcoin
FET Artificial Superintelligence Alliance
FIL Filecoin
FLOKI Floki
FLOW Flow
FLR Flare
FTM Fantom
FTT FTX Token
FXS Frax Share
GALA Gala
GLM Golem
GLMR Moonbeam
GMT STEPN
GMX GMX
GNO Gnosis
GRT The Graph
GTC Gitcoin
GUSD Gemini Dollar
HBAR Hedera
HNT Helium
HT Huobi Token
HYPE Hyperliquid
ICP Internet Computer
ICX ICON
ILV Illuvium
IMX Immutable
INJ Injective
IOTA IOTA
IOTX IoTeX
JASMY JasmyCoin
JTO Jito
JUP Jupiter
KAS Kaspa
KAVA Kava
KCS KuCoin Token
KDA Kadena
KNC Kyber Network
KSM Kusama
LDO Lido DAO
LEO UNUS SED LEO
LINK Chainlink
LPT Livepeer
LQTY Liquity
LRC Loopring
LSK Lisk
LTC Litecoin
LUNC Terra Luna Classic
MANA Decentraland
MANTA Manta Network
MASK Mask Network
MATIC Polygon
MINA Mina
MKR Maker
MLN Enzyme
MNT Mantle
NANO Nano
NEAR NEAR Protocol
NEO NEO
NEXO Nexo
NKN NKN
NMR Numeraire
OCEAN Ocean Protocol
OGN Origin Protocol
OKB OKB
OMG OMG Network
ONDO Ondo
ONE Harmony
ONT Ontology
OP Optimism
ORCA Orca
ORDI ORDI
OSMO Osmosis
OXT Orchid
PAXG PAX Gold
PENDLE Pendle
PENGU Pudgy Penguins
PEPE Pepe
PERP Perpetual Protocol
POL Polygon Ecosystem Token
POLS Polkastarter
POLY Polymath
POWR Powerledger
PYTH Pyth Network
PYUSD PayPal USD
QNT Quant
QTUM Qtum
RAD Radicle
RAY Raydium
REN Ren
RENDER Render
REP Augur
REQ Request
RLC iExec RLC
RNDR Render
ROSE Oasis
RPL Rocket Pool
RSR Reserve Rights
RUNE THORChain
RVN Ravencoin
SAND The Sandbox
SC Siacoin
SCRT Secret
SEI Sei
SHIB Shiba Inu
SKL SKALE
SNT Status
SNX Synthetix
SOL Solana
SPELL Spell Token
SRM Serum
STEEM Steem
STETH Lido Staked Ether
STORJ Storj
STRK Starknet
STX Stacks
SUI Sui
SUSHI SushiSwap
SXP Solar
TAO Bittensor
TFUEL Theta Fuel
THETA Theta Network
TIA Celestia
TON Toncoin
TRAC OriginTrail
TRB Tellor
TRUMP Official Trump
TRX TRON
TUSD TrueUSD
TWT Trust Wallet Token
UMA UMA
UNI Uniswap
USDC USD Coin
USDP Pax Dollar
USDT Tether
USTC TerraClassicUSD
VET VeChain
VTHO VeThor Token
VTC Vertcoin
WAVES Waves
WAXP WAX
WBTC Wrapped Bitcoin
WETH Wrapped Ether
WIF dogwifhat
WLD Worldcoin
WOO WOO
XCH Chia
XDC XDC Network
XEC eCash
XEM NEM
XLM Stellar
XMR Monero
XNO Nano
XRP XRP
XTZ Tezos
XVG Verge
YFI yearn.finance
ZEC Zcash
ZEN Horizen
ZIL Zilliqa
ZK ZKsync
ZRO LayerZero
ZRX 0x
`;
