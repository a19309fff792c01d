from scipy import special
